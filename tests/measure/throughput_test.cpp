#include "measure/throughput.hpp"

#include "base/clock.hpp"
#include "measure/launch_fixture.hpp"
#include "measure/step.hpp"
#include "stats/random_series.hpp"
#include "stats/summary.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::measure {
namespace {

using Names = std::vector<std::string>;

const schema::MeasureSpec kSpec{};  // 0.5 s, 10 s, +-1 %, 10 samples

SamplesSoFar taken(const std::vector<double>& samples, double timed_seconds, double now_seconds) {
  return {samples, timed_seconds, static_cast<std::int64_t>(samples.size()), now_seconds};
}

struct StoppingRow {
  std::vector<double> samples;
  double timed_seconds;
  double now_seconds;
  std::optional<std::string> stops;
  Names unmet;
};

TEST(Stopping, NeedsTimeSamplesAndANarrowIntervalUnlessItIsLate) {
  const auto steady = [](std::size_t count) { return std::vector<double>(count, 1.0); };
  const auto within = [](double half_width) {
    std::vector<double> samples(12, 1 + half_width);
    for (std::size_t i = 0; i < samples.size(); i += 2) samples[i] = 1 - half_width;
    return samples;
  };
  const std::vector<double> noisy{1, 2, 1.5, 2, 1, 1.2, 1.7, 1, 2, 1.1, 1.9, 1};
  const std::vector<StoppingRow> rows{{{1, 2}, 0.1, 9.9, {}, {"min-time", "min-samples", "max-noise"}},
                                      {steady(5), 0.5, 9.9, {}, {"min-samples"}},
                                      {steady(9), 1, 1, {}, {"min-samples"}},
                                      {steady(20), 0.4, 1, {}, {"min-time"}},
                                      {steady(20), 0.5, 1, "max-noise", {}},
                                      {steady(10), 5, 10, "max-noise", {}},
                                      {within(0.008), 1, 1, "max-noise", {}},
                                      {within(0.015), 1, 1, {}, {"max-noise"}},
                                      {noisy, 5, 9.99, {}, {"max-noise"}},
                                      {noisy, 5, 10, "max-time", {"max-noise"}},
                                      {steady(kMostSamples), 0.25, 1, "max-samples", {"min-time"}}};
  for (const StoppingRow& row : rows) {
    StoppingRule rule{kSpec, 10, std::nullopt};
    const SamplesSoFar so_far = taken(row.samples, row.timed_seconds, row.now_seconds);
    EXPECT_EQ(rule.stops(so_far), row.stops) << row.samples.size() << " at " << row.now_seconds;
    EXPECT_EQ(rule.unmet(so_far), row.unmet) << row.samples.size() << " at " << row.now_seconds;
  }
}

TEST(Stopping, BatchesCountSteps) {
  StoppingRule rule{kSpec, 10, 30};
  const std::vector<double> samples{1, 1, 1};
  EXPECT_FALSE(rule.stops({samples, 1, 29, 1}));
  EXPECT_EQ(rule.stops({samples, 1, 30, 1}), "max-batches");
}

// At 10 samples the answer is not precise enough; the interval is computed again at 12.
TEST(Stopping, LooksAgainAfterAShareMoreSamples) {
  StoppingRule rule{kSpec, 10, std::nullopt};
  EXPECT_FALSE(rule.stops(taken({1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, 1, 1)));
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

// But not for ever: some programs stop a process all the time.
TEST_F(ThroughputTest, RunsAWindowAgainInWhichASignalStoppedTheProcess) {
  base::count_continues();
  warm_up_steps(5);
  for (const auto& [stops, kept] : {std::pair{1, 0}, {2, 0}, {3, 1}, {6, 2}}) {
    const std::int64_t first = machine_.steps() + 15;
    machine_.step_seconds = [first, stops = stops](std::int64_t step) {
      if (step < first || step >= first + stops) return 1.0 / 64;
      ::raise(SIGCONT);
      return 0.25;
    };
    measure();
    EXPECT_EQ(std::ranges::count(launch_.samples_seconds, 0.25), kept) << stops;
  }
}

using Samples = std::vector<double>;

struct EndRow {
  const char* name;
  std::function<double(std::int64_t)> step_seconds;
  double max_time_seconds;
  std::optional<std::int64_t> max_batches;
  const char* stopped_by;
  Names unmet;
  std::function<bool(const Samples&)> is_expected;
  std::optional<std::size_t> warmups{};
};

TEST_F(ThroughputTest, EndsForAReasonAndSaysWhatIsUnmet) {
  const auto each = [](double seconds) { return [seconds](std::int64_t) { return seconds; }; };
  const auto are = [](std::size_t count) { return [count](const Samples& all) { return all.size() == count; }; };
  const std::vector<EndRow> rows{
      {"drift",
       [](std::int64_t step) { return static_cast<double>(16 + step) / 1024; },
       10,
       {},
       "max-time",
       {"warmup", "max-noise"},
       [](const Samples& all) { return *stats::relative_drift(all) > 0.2; }},
      {"two levels",
       [](std::int64_t step) { return step * 5 % 8 < 4 ? 1.0 / 64 : 1.0 / 32; },
       10,
       {},
       "max-time",
       {"max-noise"},
       [](const Samples& all) { return stats::is_bimodal(all); }},
      {"a heavy tail, which is kept",
       [](std::int64_t step) { return step % 16 == 15 ? 40.0 / 64 : 1.0 / 64; },
       10,
       {},
       "max-noise",
       {},
       [](const Samples& all) { return std::ranges::max(all) == 40.0 / 64; }},
      {"one long step",
       each(3),
       2,
       {},
       "max-time",
       {"warmup", "min-samples", "max-noise"},
       [](const Samples& all) { return all == Samples{3}; },
       0},
      {"too few samples", each(0.25), 2, {}, "max-time", {"min-samples"}, are(5), 2},
      {"many short steps", each(1.0 / 16384), 10, {}, "max-samples", {"min-time"}, are(4096)},
      {"batches", each(1.0 / 64), 10, 7, "max-batches", {"min-time", "min-samples"}, are(7), 10}};
  for (const EndRow& row : rows) {
    SCOPED_TRACE(row.name);
    FakeMachine machine;
    machine.step_seconds = row.step_seconds;
    spec_.max_time_seconds = row.max_time_seconds;
    work_.max_batches = row.max_batches;
    schema::Launch launch;
    measure_launch(machine, machine, observer_, alone(), spec_, work_, false, launch);
    EXPECT_EQ(launch.stopped_by, row.stopped_by);
    EXPECT_EQ(launch.unmet, row.unmet);
    EXPECT_EQ(launch.first_step_seconds, row.step_seconds(0));
    EXPECT_TRUE(row.is_expected(launch.samples_seconds));
    const std::size_t warmups = launch.warmup_samples_seconds.size();
    EXPECT_EQ(row.warmups.value_or(warmups), warmups);
  }
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

TEST_F(ThroughputTest, MaxBatchesCutsQueuedWindows) {
  machine_.queue = true;
  work_.max_batches = 25;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 10);
  EXPECT_EQ(samples(), 2U);  // windows of 10 and 15 steps
  EXPECT_EQ(launch_.samples_seconds[1], 1.0 / 64);
  work_.max_batches = 4;
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

TEST_F(LatencyTest, IsLeftOutOnASynchronousDeviceAndUnlessAskedFor) {
  for (const bool queue : {false, true}) {
    machine_.queue = queue;
    measure(!queue);
    EXPECT_TRUE(launch_.latency_samples_seconds.empty());
    EXPECT_EQ(observer_.phases.back(), "events");
  }
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
