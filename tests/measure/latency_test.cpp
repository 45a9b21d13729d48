#include "measure/latency.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using LatencyTest = LaunchFixture;

TEST_F(LatencyTest, WaitsAfterEveryStep) {
  machine_.queue = true;
  machine_.synchronize_seconds = 1.0 / 4096;
  measure(true);
  EXPECT_EQ(launch_.latency_samples_seconds, std::vector<double>(32, 1.0 / 64 + 1.0 / 4096));
  EXPECT_GE(launch_.steps_per_sample, 10);
  EXPECT_EQ(observer_.phases.back(), "latency");
}

TEST_F(LatencyTest, IsTheStepItselfOnASynchronousDevice) {
  measure(true);
  EXPECT_TRUE(launch_.latency_samples_seconds.empty());
  EXPECT_EQ(observer_.phases.back(), "events");
}

TEST_F(LatencyTest, IsLeftOutUnlessAskedFor) {
  machine_.queue = true;
  measure(false);
  EXPECT_TRUE(launch_.latency_samples_seconds.empty());
  EXPECT_EQ(observer_.phases.back(), "events");
}

// Times at two levels never give a precise answer. So throughput ends after 70 % of the ten seconds, and
// latency when they are over.
TEST_F(LatencyTest, HasAShareOfTheTime) {
  machine_.queue = true;
  machine_.step_seconds = [](std::int64_t step) { return step * 5 % 8 < 4 ? 1.0 / 64 : 1.0 / 32; };
  spec_.max_noise = -1;
  measure(true);
  EXPECT_EQ(launch_.stopped_by, "max-time");
  const double seconds = sum(launch_.latency_samples_seconds);
  EXPECT_GT(seconds, 2.5);
  EXPECT_LT(seconds, 3.1);
}

}  // namespace
}  // namespace mpsbench::measure
