#include "step/engine.hpp"

#include "base/error.hpp"
#include "step/graph_step.hpp"

#include <array>
#include <utility>

namespace mpsbench::step {
namespace {

std::unique_ptr<measure::Step> as_it_is(std::unique_ptr<measure::Step> eager, const device::Device&) {
  return eager;
}

std::unique_ptr<measure::Step> as_graph(std::unique_ptr<measure::Step> eager, const device::Device& device) {
  return make_graph_step(std::move(eager), device.torch());
}

constexpr std::array<Engine, 2> kEngines{{{.name = "eager", .needs = nullptr, .lack = "", .make = as_it_is},
                                          {.name = "graph",
                                           .needs = &device::Capabilities::graphs,
                                           .lack = "has no graphs to replay",
                                           .make = as_graph}}};

}  // namespace

std::span<const Engine> engines() {
  return kEngines;
}

const Engine& find_engine(const std::string& name) {
  std::string names;
  for (const Engine& engine : kEngines) {
    if (name == engine.name) return engine;
    names += (names.empty() ? "" : ", ") + std::string(engine.name);
  }
  throw base::usage_error("unknown engine '" + name + "'; there are " + names);
}

std::string why_unsupported(const Engine& engine, const device::Device& device) {
  if (engine.needs == nullptr || device.capabilities().*engine.needs) return "";
  return device.torch().str() + " " + engine.lack;
}

std::unique_ptr<measure::Step> make_engine_step(const Engine& engine, std::unique_ptr<measure::Step> eager,
                                                const device::Device& device) {
  if (const std::string reason = why_unsupported(engine, device); !reason.empty())
    throw base::Error(base::ErrorKind::no_device,
                      "--engine " + std::string(engine.name) + ": " + reason + "; use --engine eager");
  return engine.make(std::move(eager), device);
}

}  // namespace mpsbench::step
