#include "step/engine.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <set>

namespace mpsbench::step {
namespace {

class NoStep final : public measure::Step {
 public:
  void run() override {}
  std::optional<double> loss() override { return std::nullopt; }
};

TEST(Engine, NamesAreDistinctAndFound) {
  std::set<std::string> names;
  for (const Engine& engine : engines()) {
    EXPECT_TRUE(names.insert(engine.name).second) << engine.name;
    EXPECT_EQ(&find_engine(engine.name), &engine);
  }
  EXPECT_TRUE(names.contains("eager"));
}

TEST(Engine, AnUnknownOneIsAnErrorThatListsThem) {
  EXPECT_EQ(tests::usage_error_of([] { (void)find_engine("steam"); }),
            "unknown engine 'steam'; there are eager, graph");
}

TEST(Engine, EagerIsTheStepItself) {
  auto eager = std::make_unique<NoStep>();
  const measure::Step* same = eager.get();
  const auto made = make_engine_step(find_engine("eager"), std::move(eager), device::Device::open("cpu"));
  EXPECT_EQ(made.get(), same);
}

TEST(Engine, OneThatTheDeviceCannotRunSaysWhy) {
  const device::Device cpu = device::Device::open("cpu");
  EXPECT_EQ(why_unsupported(find_engine("eager"), cpu), "");
  EXPECT_EQ(why_unsupported(find_engine("graph"), cpu), "cpu has no graphs to replay");
  EXPECT_EQ(
      tests::error_of(base::ErrorKind::no_device,
                      [&] { (void)make_engine_step(find_engine("graph"), std::make_unique<NoStep>(), cpu); }),
      "--engine graph: cpu has no graphs to replay; use --engine eager");
}

}  // namespace
}  // namespace mpsbench::step
