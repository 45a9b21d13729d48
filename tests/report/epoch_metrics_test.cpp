#include "report/metrics/epoch_metrics.hpp"

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

TEST(EpochMetrics, EpochIsProjectedFromWholeBatches) {
  const std::vector<Launch> launches{good_launch(steady_samples(0.5, 11)), good_launch(steady_samples(0.5, 11))};
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 32);
  spec.rows = 100;
  const auto train = compute_metrics(spec, tests::kWorkCounts, launches).metrics;
  EXPECT_EQ(steps_per_epoch(spec), 3);
  EXPECT_DOUBLE_EQ(train.epoch_seconds.value.value(), 1.5);
  EXPECT_EQ(train.epoch_seconds.kind, "projected");
  ASSERT_TRUE(train.epoch_seconds.ci95 && train.step_seconds.ci95);
  EXPECT_GE(train.epoch_seconds.ci95->high, 1.5);
  spec.mode = Mode::infer;
  EXPECT_EQ(steps_per_epoch(spec), 4);
  spec.dataset = schema::Dataset::mnist;
  EXPECT_EQ(steps_per_epoch(spec), 4);
  spec.rows = 96;
  EXPECT_EQ(steps_per_epoch(spec), 3);
  spec.mode = Mode::train;
  spec.rows = 31;
  const auto none = compute_metrics(spec, tests::kWorkCounts, launches);
  EXPECT_FALSE(none.metrics.epoch_seconds.value);
  EXPECT_TRUE(none.notes.contains("metrics.epoch_seconds"));
}

TEST(EpochMetrics, MeasuredEpochsCountOnlyWhenWhole) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 32);
  spec.rows = 96;
  spec.epochs = 2;
  std::vector<Launch> launches{good_launch({1, 1, 1}), good_launch({1, 1, 1})};
  launches[0].epochs = {{3.5, 3, 96}, {3.7, 3, 96}};
  launches[1].epochs = {{4.0, 3, 96}, {4.0, 3, 96}};
  const auto measured = compute_metrics(spec, tests::kWorkCounts, launches).metrics.epoch_seconds;
  EXPECT_EQ(measured.kind, "measured");
  EXPECT_DOUBLE_EQ(measured.value.value(), 3.8);
  ASSERT_TRUE(measured.ci95);
  EXPECT_LE(measured.ci95->low, 3.8);

  launches.push_back(launches[1]);
  launches[2].status = schema::Status::interrupted;
  launches[2].epochs = {{3.8, 3, 96}};
  launches[2].loop_seconds = 9;
  EXPECT_DOUBLE_EQ(compute_metrics(spec, tests::kWorkCounts, launches).metrics.epoch_seconds.value.value(), 3.8);
  launches[2].epochs.clear();  // stopped in its first epoch
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, launches).metrics.epoch_seconds.kind, "measured");
  EXPECT_FALSE(compute_metrics(spec, tests::kWorkCounts, launches).metrics.loop_seconds);
  launches.pop_back();

  launches[1].epochs[1].steps = 2;  // cut short by max_batches
  const auto projected = compute_metrics(spec, tests::kWorkCounts, launches).metrics.epoch_seconds;
  EXPECT_EQ(projected.kind, "projected");
  EXPECT_DOUBLE_EQ(projected.value.value(), 3.0);
}

TEST(EpochMetrics, EpochsAreProjectedInTraining) {
  schema::RunInfo run;
  run.epochs_projected = 90;
  const std::vector<Launch> launches{good_launch(steady_samples(0.01, 21)), good_launch(steady_samples(0.01, 21))};
  const auto train =
      compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, launches, {}, run).metrics;
  EXPECT_DOUBLE_EQ(train.projected_epochs_seconds.value.value(), 90 * train.epoch_seconds.value.value());
  EXPECT_DOUBLE_EQ(train.projected_epochs_seconds.ci95->high, 90 * train.epoch_seconds.ci95->high);
  const std::string path = "metrics.projected_epochs_seconds";
  const auto infer = compute_metrics(sample_spec("mlp", Mode::infer, 64), tests::kWorkCounts, launches, {}, run);
  EXPECT_EQ(infer.notes.at(path), "only training has epochs to project");
  EXPECT_EQ(compute_metrics(sample_spec("mlp", Mode::train, 64), tests::kWorkCounts, {}, {}, run).notes.at(path),
            "no step was measured");
}

using schema::DataPart;

TEST(Accuracy, IsTheMedianOverLaunches) {
  std::vector<schema::Launch> launches(3);
  const std::int64_t right[] = {50, 90, 80};
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].evaluations = {
        {DataPart::train, 1000, 1, 1}, {DataPart::validation, 100, right[i], 1}, {DataPart::test, 200, 100, 1}};
  }
  schema::Metrics metrics;
  Notes notes;
  set_accuracy({launches.data(), launches.data() + 1, launches.data() + 2}, metrics, notes);
  EXPECT_EQ(metrics.validation_accuracy, 0.8);
  EXPECT_EQ(metrics.test_accuracy, 0.5);
  EXPECT_EQ(metrics.training_accuracy, 0.001);
  EXPECT_TRUE(notes.empty());
}

TEST(Accuracy, IsExplainedWhereThereIsNone) {
  schema::Metrics metrics;
  Notes notes;
  const schema::Launch launch;
  set_accuracy({&launch}, metrics, notes);
  EXPECT_FALSE(metrics.test_accuracy.has_value());
  EXPECT_EQ(notes.size(), 3U);
}

schema::Launch trained(double epoch_seconds) {
  schema::Launch launch = tests::good_launch({0.1});
  launch.epochs = {{epoch_seconds, 100, 6400}, {epoch_seconds, 100, 6400}};
  launch.evaluations = {{DataPart::train, 100, 50, 6, 1},
                        {DataPart::validation, 100, 50, 2, 1},
                        {DataPart::train, 100, 50, 6, 2},
                        {DataPart::validation, 100, 50, 2, 2},
                        {DataPart::test, 100, 50, 3, 2}};
  return launch;
}

TEST(TrainingTimes, AreMediansOverLaunches) {
  const schema::Launch launches[] = {trained(60), trained(70), trained(90)};
  schema::Metrics metrics;
  Notes notes;
  set_training_times({&launches[0], &launches[1], &launches[2]}, metrics, notes);
  EXPECT_EQ(metrics.training_seconds, 2 * 70 + 2 * (6 + 2));
  EXPECT_EQ(metrics.test_seconds, 3);
  EXPECT_EQ(metrics.total_seconds, 2 * 70 + 2 * (6 + 2) + 3);
  EXPECT_TRUE(notes.empty());
}

TEST(TrainingTimes, AreExplainedWithoutEvaluations) {
  schema::Launch launch = trained(60);
  launch.evaluations.clear();
  schema::Metrics metrics;
  Notes notes;
  set_training_times({&launch}, metrics, notes);
  EXPECT_FALSE(metrics.training_seconds || metrics.test_seconds || metrics.total_seconds);
  for (const char* path : {"metrics.training_seconds", "metrics.test_seconds", "metrics.total_seconds"}) {
    EXPECT_NE(notes[path].find("without --max-batches"), std::string::npos) << notes[path];
    notes.clear();
    set_training_times({}, metrics, notes);
    EXPECT_EQ(notes[path], "no launch succeeded");
    set_training_times({&launch}, metrics, notes);
  }
}

}  // namespace

}  // namespace mpsbench::report
