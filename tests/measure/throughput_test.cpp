#include "measure/throughput.hpp"

#include "measure/launch_fixture.hpp"
#include "measure/window.hpp"
#include "stats/random_series.hpp"
#include "stats/series.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::measure {

namespace {

using Names = std::vector<std::string>;

const schema::MeasureSpec kSpec{};  // 0.5 s, 10 s, +-1 %, 10 samples

SamplesSoFar taken(const std::vector<double>& samples, double timed_seconds, double now_seconds) {
  return {samples, timed_seconds, static_cast<std::int64_t>(samples.size()), now_seconds};
}

TEST(Stopping, NeedsTimeSamplesAndANarrowInterval) {
  const std::vector<double> steady(20, 1.0);
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken(std::vector<double>(9, 1.0), 1, 1)));
  EXPECT_FALSE(rule.stops(taken(steady, 0.4, 1)));
  EXPECT_EQ(rule.stops(taken(steady, 0.5, 1)), "max-noise");
}

TEST(Stopping, NamesWhatIsUnmet) {
  const StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_EQ(rule.unmet(taken({1, 2}, 0.1, 10)), (Names{"min-time", "min-samples", "max-noise"}));
  EXPECT_EQ(rule.unmet(taken(std::vector<double>(5, 1.0), 0.5, 10)), (Names{"min-samples"}));
  EXPECT_EQ(rule.unmet(taken(std::vector<double>(10, 1.0), 0.5, 10)), Names{});
}

TEST(Stopping, LimitsEndWhatHasNoAnswer) {
  const std::vector<double> noisy{1, 2, 1.5, 2, 1, 1.2, 1.7, 1, 2, 1.1, 1.9, 1};
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken(noisy, 5, 9.99)));
  EXPECT_EQ(rule.stops(taken(noisy, 5, 10)), "max-time");
  EXPECT_EQ(rule.stops(taken(std::vector<double>(kMostSamples, 1.0), 0.25, 1)), "max-samples");
}

TEST(Stopping, AnAnswerReachedWithALimitIsTheAnswer) {
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_EQ(rule.stops(taken(std::vector<double>(10, 1.0), 5, 10)), "max-noise");
}

TEST(Stopping, BatchesCountSteps) {
  StoppingRule rule{kSpec, 10, 30};
  const std::vector<double> samples{1, 1, 1};
  EXPECT_FALSE(rule.stops({samples, 1, 29, 1}));
  EXPECT_EQ(rule.stops({samples, 1, 30, 1}), "max-batches");
}

// At 10 samples the answer is not precise enough; the interval is computed again at 12.
TEST(Stopping, LooksAgainAfterAShareMoreSamples) {
  std::vector<double> samples{1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken(samples, 1, 1)));
  EXPECT_FALSE(rule.stops(taken(std::vector<double>(11, 1.0), 1, 1)));
  EXPECT_EQ(rule.stops(taken(std::vector<double>(12, 1.0), 1, 1)), "max-noise");
}

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
  for (std::size_t i = 0; i < launch_.losses.size(); ++i) EXPECT_EQ(launch_.losses[i], static_cast<double>(i));
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
