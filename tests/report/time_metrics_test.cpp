#include "report/metrics/time_metrics.hpp"

#include "report/work_counts.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::Launch;
using schema::Mode;
using tests::good_launch;
using tests::sample_spec;
using tests::steady_samples;

TEST(TimeMetrics, PercentilesNeedSamplesAndSingleSteps) {
  const auto spec = sample_spec("mlp", Mode::infer, 1);
  const auto percentiles = [&](std::size_t samples, std::int64_t steps_per_sample) {
    Launch launch = good_launch(steady_samples(0.01, samples));
    launch.steps_per_sample = steps_per_sample;
    return compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.step_seconds;
  };
  EXPECT_FALSE(percentiles(63, 1).p90);
  EXPECT_TRUE(percentiles(64, 1).p90);
  EXPECT_FALSE(percentiles(661, 1).p99);
  EXPECT_TRUE(percentiles(662, 1).p99);
  EXPECT_FALSE(percentiles(2'000, 2).p90);
  EXPECT_TRUE(percentiles(2'000, 2).median);
}

TEST(TimeMetrics, PercentilesThatTheSamplesCannotBearAreNull) {
  schema::RunInfo run;
  run.percentiles = {50, 95};
  std::vector<double> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(0.001 * (1 + i));
  const schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  const auto computed = compute_metrics(spec, tests::kWorkCounts, std::vector{good_launch(samples)}, {}, run);
  const schema::Percentiles& percentiles = computed.metrics.step_seconds.percentiles;
  EXPECT_DOUBLE_EQ(percentiles.at("50").value(), 0.0505);
  EXPECT_FALSE(percentiles.at("95"));
  EXPECT_EQ(computed.notes.at("metrics.step_seconds.percentiles.95"), "needs 130 samples, has 100");
  EXPECT_TRUE(computed.metrics.latency_seconds.percentiles.empty());
  Launch windows = good_launch(samples);
  windows.steps_per_sample = 2;
  const auto hidden = compute_metrics(spec, tests::kWorkCounts, std::vector{windows}, {}, run);
  EXPECT_FALSE(hidden.metrics.step_seconds.percentiles.at("50"));
}

TEST(TimeMetrics, EventsAfterSeveralStepsGiveNoPercentiles) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  spec.device = "cuda";
  Launch launch = good_launch(steady_samples(0.01, 21));
  launch.steps_per_sample = 10;
  launch.event_samples_seconds = steady_samples(0.01, 65);
  EXPECT_TRUE(
      compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.step_seconds.p90.has_value());
  launch.event_steps_per_sample = 2;
  EXPECT_FALSE(
      compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.step_seconds.p90.has_value());
}

TEST(TimeMetrics, EventsGivePercentilesWhereWindowsHideThem) {
  Launch launch = good_launch(steady_samples(0.01, 20));
  launch.steps_per_sample = 10;
  launch.event_samples_seconds = steady_samples(0.01, 65);
  launch.event_samples_seconds.back() = 0.5;
  const auto step =
      compute_metrics(sample_spec("mlp", Mode::train, 8), tests::kWorkCounts, std::vector{launch})
          .metrics.step_seconds;
  EXPECT_TRUE(step.p90);
  EXPECT_FALSE(step.p99);
  EXPECT_EQ(step.count, 20);
}

TEST(TimeMetrics, LatencyIsTheStepOnTheCpuAndAbsentInTraining) {
  const std::vector<Launch> launches{good_launch(steady_samples(0.01, 101))};
  const auto infer =
      compute_metrics(sample_spec("mlp", Mode::infer, 1), tests::kWorkCounts, launches).metrics;
  EXPECT_EQ(infer.latency_seconds.median, infer.step_seconds.median);
  EXPECT_EQ(infer.latency_seconds.p90, infer.step_seconds.p90);
  EXPECT_EQ(infer.latency_seconds.count, 101);
  const auto train = compute_metrics(sample_spec("mlp", Mode::train, 1), tests::kWorkCounts, launches);
  EXPECT_FALSE(train.metrics.latency_seconds.median);
  EXPECT_TRUE(train.notes.contains("metrics.latency_seconds"));
}

TEST(TimeMetrics, LatencyOfAnAsynchronousDeviceHasItsOwnSamples) {
  Launch launch = good_launch(steady_samples(0.01, 20));
  launch.steps_per_sample = 10;
  launch.latency_samples_seconds = steady_samples(0.03, 65);
  schema::CaseSpec spec = sample_spec("mlp", Mode::infer, 1);
  spec.device = "mps";
  const auto metrics = compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics;
  EXPECT_DOUBLE_EQ(metrics.latency_seconds.median.value(), 0.03);
  EXPECT_TRUE(metrics.latency_seconds.p90);
  EXPECT_FALSE(metrics.step_seconds.p90);
}

}  // namespace
}  // namespace mpsbench::report
