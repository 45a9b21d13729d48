#include "step/engine.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::step {
namespace {

using schema::DeviceKind;
using schema::Engine;

class NoStep final : public measure::Step {
 public:
  void run() override {}
  std::optional<double> loss() override { return std::nullopt; }
};

TEST(Engine, EagerIsTheStepItself) {
  auto eager = std::make_unique<NoStep>();
  const measure::Step* same = eager.get();
  const auto made = make_engine_step(Engine::eager, std::move(eager), device::Device::open("cpu"));
  EXPECT_EQ(made.get(), same);
}

TEST(Engine, OneThatTheDeviceCannotRunSaysWhy) {
  const std::string why = "--engine graph replays CUDA graphs, which cpu does not have; use --engine eager";
  for (const schema::DeviceKindRow& kind : schema::ClosedSet<DeviceKind>::kRows)
    EXPECT_EQ(why_no_engine(kind.value, Engine::eager), "") << kind.name;
  EXPECT_EQ(why_no_engine(DeviceKind::cpu, Engine::graph), why);
  EXPECT_EQ(why_no_engine(DeviceKind::cuda, Engine::graph), "");
  EXPECT_TRUE(why_no_engine(DeviceKind::cpu, Engine::compiled_graph).ends_with("; use --engine compiled"));
  const device::Device cpu = device::Device::open("cpu");
  EXPECT_EQ(tests::error_of(base::ErrorKind::no_device,
                            [&] { (void)make_engine_step(Engine::graph, std::make_unique<NoStep>(), cpu); }),
            why);
}

}  // namespace
}  // namespace mpsbench::step
