#include "report/metrics/training_times.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using schema::DataPart;

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
