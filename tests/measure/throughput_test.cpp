#include "measure/throughput.hpp"

#include "measure/launch_fixture.hpp"
#include "stats/modes.hpp"
#include "stats/random_series.hpp"
#include "stats/series.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::measure {
namespace {

using Names = std::vector<std::string>;
using ThroughputTest = LaunchFixture;

TEST_F(ThroughputTest, SteadyStepsEndWithTheLeastTime) {
  measure();
  EXPECT_EQ(launch_.samples_seconds, std::vector<double>(32, 1.0 / 64));
  EXPECT_EQ(launch_.steps_per_sample, 1);
  EXPECT_EQ(launch_.stopped_by, "max-noise");
  EXPECT_EQ(launch_.unmet, Names{});
  EXPECT_EQ(observer_.phases, (Names{"warmup", "measure", "events"}));
}

TEST_F(ThroughputTest, DriftRunsOutOfTimeAndSaysSo) {
  machine_.step_seconds = [](std::int64_t step) { return static_cast<double>(16 + step) / 1024; };
  measure();
  EXPECT_EQ(launch_.stopped_by, "max-time");
  EXPECT_EQ(launch_.unmet, (Names{"warmup", "max-noise"}));
  EXPECT_GT(*stats::relative_drift(launch_.samples_seconds), 0.2);
}

TEST_F(ThroughputTest, TwoLevelsHaveNoNarrowMedian) {
  machine_.step_seconds = [](std::int64_t step) { return step * 5 % 8 < 4 ? 1.0 / 64 : 1.0 / 32; };
  measure();
  EXPECT_EQ(launch_.stopped_by, "max-time");
  EXPECT_EQ(launch_.unmet, Names{"max-noise"});
  EXPECT_TRUE(stats::is_bimodal(launch_.samples_seconds));
}

TEST_F(ThroughputTest, AHeavyTailMovesNothingAndIsKept) {
  machine_.step_seconds = [](std::int64_t step) { return step % 16 == 15 ? 40.0 / 64 : 1.0 / 64; };
  measure();
  EXPECT_EQ(launch_.stopped_by, "max-noise");
  EXPECT_EQ(*std::max_element(launch_.samples_seconds.begin(), launch_.samples_seconds.end()), 40.0 / 64);
}

// Both series have the same spread. One is independent and one an autoregression, whose median needs many
// more samples.
TEST_F(ThroughputTest, AutocorrelatedStepsTakeMoreSamples) {
  constexpr std::size_t kSteps = 10000;
  const auto run = [&](double rho) {
    stats::RandomSeries random{17};
    const std::vector<double> series = random.autoregressive(kSteps, rho);
    const double scale = 0.02 * std::sqrt(1 - rho * rho);
    FakeMachine machine;
    machine.step_seconds = [&](std::int64_t step) {
      return (1 + scale * series[static_cast<std::size_t>(step) % kSteps]) / 256;
    };
    schema::Launch launch;
    spec_.max_noise = 0.005;
    measure_launch(machine, machine, observer_, alone(), spec_, work_, false, launch);
    EXPECT_EQ(launch.stopped_by, "max-noise");
    return launch.samples_seconds.size();
  };
  EXPECT_GT(run(0.9), 2 * run(0));
}

TEST_F(ThroughputTest, OneLongStepIsAlwaysAllowed) {
  machine_.step_seconds = [](std::int64_t) { return 3.0; };
  spec_.max_time_seconds = 2;
  measure();
  EXPECT_EQ(launch_.first_step_seconds, 3);
  EXPECT_EQ(warmups(), 0U);
  EXPECT_EQ(launch_.samples_seconds, std::vector<double>{3.0});
  EXPECT_EQ(launch_.stopped_by, "max-time");
  EXPECT_EQ(launch_.unmet, (Names{"warmup", "min-samples", "max-noise"}));
}

TEST_F(ThroughputTest, TooFewSamplesAreUnmet) {
  machine_.step_seconds = [](std::int64_t) { return 0.25; };
  spec_.max_time_seconds = 2;
  measure();
  EXPECT_EQ(warmups(), 2U);
  EXPECT_EQ(samples(), 5U);
  EXPECT_EQ(launch_.stopped_by, "max-time");
  EXPECT_EQ(launch_.unmet, Names{"min-samples"});
}

TEST_F(ThroughputTest, ManyShortStepsEndAtTheMostSamples) {
  machine_.step_seconds = [](std::int64_t) { return 1.0 / 16384; };
  measure();
  EXPECT_EQ(samples(), 4096U);
  EXPECT_EQ(launch_.stopped_by, "max-samples");
  EXPECT_EQ(launch_.unmet, Names{"min-time"});
}

TEST_F(ThroughputTest, MaxBatchesCountsTimedSteps) {
  work_.max_batches = 7;
  measure();
  EXPECT_EQ(samples(), 7U);
  EXPECT_EQ(machine_.steps(), 1 + 10 + 7);
  EXPECT_EQ(launch_.stopped_by, "max-batches");
  EXPECT_EQ(launch_.unmet, (Names{"min-time", "min-samples"}));
}

TEST_F(ThroughputTest, MaxBatchesCutsQueuedWindows) {
  machine_.queue = true;
  work_.max_batches = 25;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 10);
  EXPECT_EQ(samples(), 2U);  // windows of 10 and 15 steps
  EXPECT_EQ(launch_.samples_seconds[1], 1.0 / 64);
  work_.max_batches = 4;
  launch_ = {};
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 4);
  EXPECT_EQ(samples(), 1U);
}

TEST_F(ThroughputTest, LossesAreReadOutsideTheWindows) {
  machine_.loss_seconds = 1.0 / 256;
  machine_.step_loss = [](std::int64_t step) { return static_cast<double>(step); };
  measure();
  EXPECT_EQ(launch_.samples_seconds, std::vector<double>(32, 1.0 / 64));
  ASSERT_EQ(launch_.losses.size(), 11U + 32U);  // first step, warm-up, samples
  for (std::size_t i = 0; i < launch_.losses.size(); ++i)
    EXPECT_EQ(launch_.losses[i], static_cast<double>(i));
}

TEST_F(ThroughputTest, ProgressComesBetweenWindowsTwiceASecond) {
  machine_.step_seconds = [](std::int64_t step) { return step % 2 == 0 ? 0.125 : 0.25; };
  measure();
  ASSERT_GE(observer_.events.size(), 8U);
  EXPECT_EQ(observer_.events[0].samples, 1);
  EXPECT_LE(static_cast<double>(observer_.events.size()), 1 + 2 * sum(launch_.samples_seconds));
}

TEST_F(ThroughputTest, WhatWasMeasuredStaysWhenAStepThrows) {
  machine_.step_seconds = [](std::int64_t step) {
    if (step == 20) throw std::runtime_error("out of memory");
    return 1.0 / 64;
  };
  EXPECT_THROW(measure(), std::runtime_error);
  EXPECT_EQ(launch_.first_step_seconds, 1.0 / 64);
  EXPECT_EQ(samples(), 9U);
}

}  // namespace
}  // namespace mpsbench::measure
