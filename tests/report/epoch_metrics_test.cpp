// Epochs, measured and projected, and what training learns in them.
#include "report/metric_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::CaseSpec;
using schema::DataPart;
using schema::Launch;
using schema::Mode;
using tests::good_launch;
using tests::kKnown;
using tests::none;
using tests::steady_samples;
using tests::training;
using tests::with;

TEST(Metrics, OfProjectedEpochs) {
  const std::vector<Launch> launches(2, good_launch(steady_samples(0.5, 11)));
  const auto of_rows = [](std::int64_t rows, Mode mode = Mode::train,
                          schema::Dataset dataset = schema::Dataset::synthetic) {
    return with(tests::sample_spec("mlp", mode, 32), [&](CaseSpec& spec) {
      spec.rows = rows;
      spec.dataset = dataset;
    });
  };
  tests::expect_all({
      {"training drops the last batch",
       launches,
       {{"epoch_seconds/value", 1.5}, {"epoch_seconds/kind", "projected"}, {"epoch_seconds/ci95", kKnown}},
       of_rows(100)},
      {"inference keeps it", launches, {{"epoch_seconds/value", 2}}, of_rows(100, Mode::infer)},
      {"of real data, too", launches, {{"epoch_seconds/value", 2}}, of_rows(100, Mode::infer, schema::Dataset::mnist)},
      {"all batches are whole",
       launches,
       {{"epoch_seconds/value", 1.5}},
       of_rows(96, Mode::infer, schema::Dataset::mnist)},
      {"fewer rows than a batch",
       launches,
       {{"epoch_seconds", none("fewer rows than one batch")}},
       of_rows(31, Mode::train, schema::Dataset::mnist)},
  });
}

Launch of_epochs(const std::vector<schema::EpochRecord>& epochs, schema::Status status = schema::Status::ok) {
  return with(good_launch({1, 1, 1}), [&](Launch& launch) {
    launch.epochs = epochs;
    launch.status = status;
    if (status != schema::Status::ok) launch.loop_seconds = 9;
  });
}

TEST(Metrics, OfMeasuredEpochs) {
  const CaseSpec spec = with(training(32), [](CaseSpec& one) {
    one.rows = 96;
    one.epochs = 2;
  });
  const Launch first = of_epochs({{3.5, 3, 96}, {3.7, 3, 96}});
  const Launch second = of_epochs({{4.0, 3, 96}, {4.0, 3, 96}});
  const auto measured =
      tests::expect_metrics(
          {"whole ones", {first, second}, {{"epoch_seconds/kind", "measured"}, {"epoch_seconds/value", 3.8}}, spec})
          .metrics.epoch_seconds;
  ASSERT_TRUE(measured.ci95);
  EXPECT_LE(measured.ci95->low, 3.8);
  const auto stopped = schema::Status::interrupted;
  tests::expect_all({
      {"an interrupted launch counts",
       {first, second, of_epochs({{3.8, 3, 96}}, stopped)},
       {{"epoch_seconds/value", 3.8}, {"loop_seconds", none("")}},
       spec},
      {"one was stopped in its first epoch",
       {first, second, of_epochs({}, stopped)},
       {{"epoch_seconds/kind", "measured"}, {"loop_seconds", none("")}},
       spec},
      {"max_batches cut one short",
       {first, of_epochs({{4.0, 3, 96}, {4.0, 2, 96}})},
       {{"epoch_seconds/kind", "projected"}, {"epoch_seconds/value", 3}},
       spec},
  });
}

TEST(Metrics, EpochsAreProjectedInTraining) {
  const schema::RunInfo run = with(schema::RunInfo(), [](schema::RunInfo& one) { one.epochs_projected = 90; });
  const std::vector<Launch> launches(2, good_launch(steady_samples(0.01, 21)));
  const auto train =
      tests::expect_metrics({"training", launches, {}, tests::training(), tests::counted_plan(), run}).metrics;
  EXPECT_DOUBLE_EQ(train.projected_epochs_seconds.value.value(), 90 * train.epoch_seconds.value.value());
  EXPECT_DOUBLE_EQ(train.projected_epochs_seconds.ci95->high, 90 * train.epoch_seconds.ci95->high);
  tests::expect_all({
      {"inference",
       launches,
       {{"projected_epochs_seconds", none("only training has epochs to project")}},
       tests::inference(),
       tests::counted_plan(),
       run},
      {"no launch",
       {},
       {{"projected_epochs_seconds", none("no step was measured")}},
       tests::training(),
       tests::counted_plan(),
       run},
  });
}

Launch evaluated(std::int64_t right) {
  return with(good_launch({0.1}), [&](Launch& launch) {
    launch.evaluations = {
        {DataPart::train, 1000, 1, 1}, {DataPart::validation, 100, right, 1}, {DataPart::test, 200, 100, 1}};
  });
}

TEST(Metrics, OfAccuracy) {
  const std::string why = "only training on a data set with --epochs";
  tests::expect_all({
      {"the median over launches",
       {evaluated(50), evaluated(90), evaluated(80)},
       {{"validation_accuracy", 0.8}, {"test_accuracy", 0.5}, {"training_accuracy", 0.001}}},
      {"none",
       {good_launch({0.1})},
       {{"validation_accuracy", none(why)}, {"test_accuracy", none(why)}, {"training_accuracy", none(why)}}},
  });
}

Launch trained(double epoch_seconds) {
  return with(good_launch({0.1}), [&](Launch& launch) {
    launch.epochs = {{epoch_seconds, 100, 6400}, {epoch_seconds, 100, 6400}};
    launch.evaluations = {{DataPart::train, 100, 50, 6, 1},
                          {DataPart::validation, 100, 50, 2, 1},
                          {DataPart::train, 100, 50, 6, 2},
                          {DataPart::validation, 100, 50, 2, 2},
                          {DataPart::test, 100, 50, 3, 2}};
  });
}

TEST(Metrics, OfWholeTrainings) {
  const auto all_none = [](const char* why) {
    return nlohmann::json{{"training_seconds", none(why)}, {"test_seconds", none(why)}, {"total_seconds", none(why)}};
  };
  tests::expect_all({
      {"medians over launches",
       {trained(60), trained(70), trained(90)},
       {{"training_seconds", 2 * 70 + 2 * (6 + 2)}, {"test_seconds", 3}, {"total_seconds", 2 * 70 + 2 * (6 + 2) + 3}}},
      {"without evaluations",
       {with(trained(60), [](Launch& launch) { launch.evaluations.clear(); })},
       all_none("without --max-batches")},
      {"no launch", {}, all_none("no launch succeeded")},
  });
}

}  // namespace
}  // namespace mpsbench::report
