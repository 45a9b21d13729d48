#include "report/metrics/step_metrics.hpp"

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
  EXPECT_TRUE(compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.step_seconds.p90.has_value());
  launch.event_steps_per_sample = 2;
  EXPECT_FALSE(compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.step_seconds.p90.has_value());
}

TEST(TimeMetrics, EventsGivePercentilesWhereWindowsHideThem) {
  Launch launch = good_launch(steady_samples(0.01, 20));
  launch.steps_per_sample = 10;
  launch.event_samples_seconds = steady_samples(0.01, 65);
  launch.event_samples_seconds.back() = 0.5;
  const auto step =
      compute_metrics(sample_spec("mlp", Mode::train, 8), tests::kWorkCounts, std::vector{launch}).metrics.step_seconds;
  EXPECT_TRUE(step.p90);
  EXPECT_FALSE(step.p99);
  EXPECT_EQ(step.count, 20);
}

TEST(TimeMetrics, LatencyIsTheStepOnTheCpuAndAbsentInTraining) {
  const std::vector<Launch> launches{good_launch(steady_samples(0.01, 101))};
  const auto infer = compute_metrics(sample_spec("mlp", Mode::infer, 1), tests::kWorkCounts, launches).metrics;
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

TEST(RateMetrics, ShareOfTheCeilingIsNotClipped) {
  const std::vector<Launch> launches{good_launch(steady_samples(0.01, 21))};
  const schema::CaseSpec spec = sample_spec("mlp", Mode::infer, 64);
  const auto share_of = [&](std::optional<double> ceiling) {
    return compute_metrics(spec, tests::kWorkCounts, launches, ceiling).metrics.ceiling_share;
  };
  EXPECT_DOUBLE_EQ(share_of(800'000).value(), 0.5);
  EXPECT_DOUBLE_EQ(share_of(200'000).value(), 2);
  EXPECT_FALSE(share_of(std::nullopt));
  EXPECT_FALSE(compute_metrics(spec, tests::kWorkCounts, launches, 1e6).notes.contains("metrics.ceiling_share"));
  EXPECT_NE(compute_metrics(spec, tests::kWorkCounts, launches).notes.at("metrics.ceiling_share").find("--ceilings"),
            std::string::npos);
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, {}, 1e6).notes.at("metrics.ceiling_share"),
            "no step was measured");
}

TEST(RateMetrics, WorkOnSomeCpusHasNoCeiling) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::infer, 64);
  spec.affinity = "0";
  EXPECT_NE(compute_metrics(spec, tests::kWorkCounts, {}).notes.at("metrics.ceiling_share").find("--affinity"),
            std::string::npos);
}

// Two steps of 32 rows and one of 8. The windows have two steps and one, so the mean of the samples is no
// step's.
TEST(RateMetrics, CountTheRowsOfAKeptLastBatch) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 32);
  spec.rows = 72;
  spec.epochs = 1;
  spec.last_batch = schema::LastBatch::keep;
  std::vector<Launch> launches{good_launch({1, 0.25}), good_launch({1, 0.25})};
  for (Launch& launch : launches) {
    launch.steps_per_sample = 2;
    launch.epochs = {{2.25, 3, 72}};
  }
  const auto kept = compute_metrics(spec, tests::kWorkCounts, launches).metrics;
  EXPECT_DOUBLE_EQ(kept.rows_per_second.value.value(), 32);
  ASSERT_TRUE(kept.rows_per_second.ci95);
  EXPECT_LE(kept.rows_per_second.ci95->low, 32);
  EXPECT_DOUBLE_EQ(kept.flops_per_second.value(), static_cast<double>(tests::kWorkCounts.flops_per_step));
  EXPECT_EQ(kept.epoch_seconds.kind, "measured");
  EXPECT_DOUBLE_EQ(kept.epoch_seconds.value.value(), 2.25);
  spec.last_batch = schema::LastBatch::drop;
}

// Inference fills the last batch up with rows of the next epoch, which do not count.
TEST(RateMetrics, CountTheRowsOfMeasuredEpochs) {
  schema::CaseSpec spec = sample_spec("mlp-mnist", Mode::infer, 128);
  spec.rows = 10'000;
  spec.epochs = 1;
  std::vector<Launch> launches(3, good_launch(std::vector<double>(79, 0.010)));
  launches[0].epochs = {{2.5, 79, 10'000}};
  launches[1].epochs = {{2.0, 79, 10'000}, {3.0, 79, 10'000}};
  launches[2].epochs = {{4.0, 79, 10'000}};
  const auto metrics = compute_metrics(spec, tests::kWorkCounts, launches).metrics;
  EXPECT_EQ(metrics.rows_per_second.kind, schema::kOfEpochs);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 4'000);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 10'000 / metrics.epoch_seconds.value.value());
  EXPECT_DOUBLE_EQ(metrics.mean_rows_per_second.value(), 4'000);
  EXPECT_DOUBLE_EQ(metrics.flops_per_second.value(), 4'000 / 128.0 * 4'000);
  launches[1].epochs.clear();
  const auto steps = compute_metrics(spec, tests::kWorkCounts, launches).metrics;
  EXPECT_EQ(steps.rows_per_second.kind, schema::kOfMedianStep) << "one launch measured no whole epoch";
  EXPECT_DOUBLE_EQ(steps.rows_per_second.value.value(), 12'800);
}

TEST(RateMetrics, CountTheRowsOfALoop) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  spec.iterations = 100;
  std::vector<Launch> launches(2, good_launch(std::vector<double>(100, 0.010)));
  for (Launch& launch : launches) launch.loop_seconds = 2;
  const auto metrics = compute_metrics(spec, tests::kWorkCounts, launches).metrics;
  EXPECT_EQ(metrics.rows_per_second.kind, schema::kOfLoop);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 3'200);
  EXPECT_DOUBLE_EQ(metrics.rows_per_second.value.value(), 6'400 / metrics.loop_seconds.value());
}

TEST(RateMetrics, TheLeastTrafficIsOverTheStepsTime) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::infer, 64);
  const std::vector<Launch> launches{good_launch(std::vector<double>(21, 0.010))};
  constexpr WorkCounts kWithBytes{100, 90, 4'000, 5e6};
  EXPECT_DOUBLE_EQ(compute_metrics(spec, kWithBytes, launches).metrics.bytes_per_second.value(), 5e8);
  const std::string path = "metrics.bytes_per_second";
  EXPECT_EQ(compute_metrics(spec, kWithBytes, {}).notes.at(path), "no step was measured");
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, launches).notes.at(path),
            "the least memory traffic of a step is not known");
  spec.pad = schema::Pad::longest;
  EXPECT_FALSE(compute_metrics(spec, kWithBytes, launches).metrics.bytes_per_second);
}

TEST(RateMetrics, ThePriceGivesRowsForAThousandDollars) {
  const schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  const std::vector<Launch> launches{good_launch(std::vector<double>(21, 0.010))};
  schema::RunInfo run;
  run.price_dollars = 2000;
  const schema::Metrics metrics = compute_metrics(spec, tests::kWorkCounts, launches, {}, run).metrics;
  EXPECT_DOUBLE_EQ(metrics.rows_per_second_per_1000_dollars.value(), 3200);
  EXPECT_FALSE(compute_metrics(spec, tests::kWorkCounts, launches).metrics.rows_per_second_per_1000_dollars);
  EXPECT_FALSE(compute_metrics(spec, tests::kWorkCounts, {}, {}, run).metrics.rows_per_second_per_1000_dollars);
}

constexpr const char* kPaths[] = {"metrics.forward_seconds", "metrics.backward_seconds", "metrics.update_seconds"};

schema::Launch launch_with(const schema::StepParts& parts) {
  schema::Launch launch = tests::good_launch({0.1});
  launch.step_parts = parts;
  return launch;
}

TEST(PartMetrics, AreMediansOverTheLaunchesThatKnowThem) {
  const schema::Launch launches[] = {launch_with({1, 20, 300}), launch_with({3, 10, 100}), launch_with({2, 30, 200}),
                                     tests::good_launch({0.1})};
  schema::Metrics metrics;
  Notes notes;
  set_parts(tests::sample_spec("mlp", Mode::train, 64), {&launches[0], &launches[1], &launches[2], &launches[3]},
            metrics, notes);
  EXPECT_EQ(metrics.forward_seconds, 2);
  EXPECT_EQ(metrics.backward_seconds, 20);
  EXPECT_EQ(metrics.update_seconds, 200);
  EXPECT_TRUE(notes.empty());
}

void expect_none(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                 const std::string& reason) {
  schema::Metrics metrics;
  Notes notes;
  set_parts(spec, good, metrics, notes);
  EXPECT_FALSE(metrics.forward_seconds || metrics.backward_seconds || metrics.update_seconds);
  for (const char* path : kPaths) EXPECT_NE(notes[path].find(reason), std::string::npos) << notes[path];
}

TEST(PartMetrics, SayWhyThereAreNone) {
  const schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 64);
  const schema::Launch known = launch_with({1, 2, 3});
  const schema::Launch unknown = tests::good_launch({0.1});
  expect_none(spec, {&unknown}, "no launch kept them");
  expect_none(spec, {}, "no launch succeeded");
  expect_none(tests::sample_spec("mlp", Mode::infer, 64), {&unknown}, "only training");
  schema::CaseSpec other = spec;
  other.engine = schema::Engine::graph;
  expect_none(other, {&unknown}, "replayed as a whole");
  other = spec;
  other.loop = schema::LoopProtocol::published;
  expect_none(other, {&unknown}, "--as-published");
  other = spec;
  other.pad = schema::Pad::longest;
  expect_none(other, {&known}, "--pad longest");
}

TEST(LoopMetrics, ALoopsTimeIsTheMedianOverLaunches) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  spec.iterations = 21;
  std::vector<Launch> launches(3, good_launch(std::vector<double>(21, 0.010)));
  launches[0].loop_seconds = 0.25;
  launches[1].loop_seconds = 0.21;
  launches[2].loop_seconds = 0.22;
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, launches).metrics.loop_seconds, 0.22);
}

}  // namespace

}  // namespace mpsbench::report
