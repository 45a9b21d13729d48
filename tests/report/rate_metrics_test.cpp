#include "report/metrics/rate_metrics.hpp"

#include "report/work_counts.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::report {
namespace {

using schema::Launch;
using schema::Mode;
using tests::good_launch;
using tests::sample_spec;
using tests::steady_samples;

TEST(RateMetrics, ShareOfTheCeilingIsNotClipped) {
  const std::vector<Launch> launches{good_launch(steady_samples(0.01, 21))};
  const schema::CaseSpec spec = sample_spec("mlp", Mode::infer, 64);
  const auto share_of = [&](std::optional<double> ceiling) {
    return compute_metrics(spec, tests::kWorkCounts, launches, ceiling).metrics.ceiling_share;
  };
  EXPECT_DOUBLE_EQ(share_of(800'000).value(), 0.5);
  EXPECT_DOUBLE_EQ(share_of(200'000).value(), 2);
  EXPECT_FALSE(share_of(std::nullopt));
  EXPECT_FALSE(
      compute_metrics(spec, tests::kWorkCounts, launches, 1e6).notes.contains("metrics.ceiling_share"));
  EXPECT_NE(compute_metrics(spec, tests::kWorkCounts, launches)
                .notes.at("metrics.ceiling_share")
                .find("--ceilings"),
            std::string::npos);
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, {}, 1e6).notes.at("metrics.ceiling_share"),
            "no step was measured");
}

TEST(RateMetrics, WorkOnSomeCpusHasNoCeiling) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::infer, 64);
  spec.affinity = "0";
  EXPECT_NE(
      compute_metrics(spec, tests::kWorkCounts, {}).notes.at("metrics.ceiling_share").find("--affinity"),
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
  EXPECT_FALSE(
      compute_metrics(spec, tests::kWorkCounts, {}, {}, run).metrics.rows_per_second_per_1000_dollars);
}

}  // namespace
}  // namespace mpsbench::report
