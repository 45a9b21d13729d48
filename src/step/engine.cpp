#include "step/engine.hpp"

#include "base/error.hpp"
#include "device/kinds.hpp"
#include "step/graph_step.hpp"

#include <array>
#include <utility>

namespace mpsbench::step {
namespace {

struct EngineMaker {
  schema::Engine engine;
  bool device::Capabilities::* needs;  // the capability it needs; null: none
  const char* uses;                    // what it does with it, for messages
  std::unique_ptr<measure::Step> (*make)(std::unique_ptr<measure::Step> step, const device::Device& device);
};

std::unique_ptr<measure::Step> as_it_is(std::unique_ptr<measure::Step> step, const device::Device&) {
  return step;
}

std::unique_ptr<measure::Step> as_graph(std::unique_ptr<measure::Step> step, const device::Device& device) {
  return make_graph_step(std::move(step), device.torch());
}

constexpr std::array kMakers{
    EngineMaker{schema::Engine::eager, nullptr, "", as_it_is},
    EngineMaker{schema::Engine::graph, &device::Capabilities::graphs, "replays CUDA graphs", as_graph},
    EngineMaker{schema::Engine::compiled, nullptr, "", as_it_is},
    EngineMaker{schema::Engine::compiled_graph, &device::Capabilities::graphs, "replays CUDA graphs", as_graph}};

constexpr bool each_engine_has_a_maker() {
  std::size_t next = 0;
  for (const EngineMaker& maker : kMakers) {
    if (static_cast<std::size_t>(maker.engine) != next++) return false;
  }
  return next == schema::ClosedSet<schema::Engine>::kRows.size();
}
static_assert(each_engine_has_a_maker());

const EngineMaker& maker_of(schema::Engine engine) {
  return kMakers.at(static_cast<std::size_t>(engine));
}

}  // namespace

std::string why_no_engine(schema::DeviceKind kind, schema::Engine engine) {
  const EngineMaker& maker = maker_of(engine);
  if (maker.needs == nullptr || device::capabilities_of(kind).*maker.needs) return "";
  const auto plain = row_of(engine).packaged ? schema::Engine::compiled : schema::Engine::eager;
  return "--engine " + to_string(engine) + " " + maker.uses + ", which " + to_string(kind) +
         " does not have; use --engine " + to_string(plain);
}

std::unique_ptr<measure::Step> make_engine_step(schema::Engine engine, std::unique_ptr<measure::Step> step,
                                                const device::Device& device) {
  if (const std::string reason = why_no_engine(device.kind(), engine); !reason.empty())
    throw base::Error(base::ErrorKind::no_device, reason);
  return maker_of(engine).make(std::move(step), device);
}

}  // namespace mpsbench::step
