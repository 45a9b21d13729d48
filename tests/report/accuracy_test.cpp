#include "report/metrics/accuracy.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using schema::DataPart;

TEST(Accuracy, IsTheMedianOverLaunches) {
  std::vector<schema::Launch> launches(3);
  const std::int64_t right[] = {50, 90, 80};
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i].evaluations = {{DataPart::train, 1000, 1, 1},
                               {DataPart::validation, 100, right[i], 1},
                               {DataPart::test, 200, 100, 1}};
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

}  // namespace
}  // namespace mpsbench::report
