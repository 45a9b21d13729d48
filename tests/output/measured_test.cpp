#include "output/text/measured.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

TEST(Measured, CountsLaunchesThatEndedWellAndTimedSteps) {
  schema::CaseResult result = tests::measured_case();
  result.launches.insert(result.launches.begin(), tests::bad_launch(schema::Status::crashed, "signal 11"));
  result.launches.push_back(tests::good_launch({}));
  EXPECT_EQ(timed_launches(result).size(), 2U);
  EXPECT_EQ(median_steps(timed_launches(result)), (std::vector<double>{0.25, 0.5}));
}

TEST(Measured, NeedsAFigureAndItsLaunches) {
  EXPECT_TRUE(has_figures(tests::measured_case()));
  EXPECT_FALSE(has_figures(tests::unmeasured_case()));
  schema::CaseResult result = tests::measured_case();
  result.launches.clear();
  EXPECT_FALSE(has_figures(result)) << "nothing was measured";
}

}  // namespace
}  // namespace mpsbench::output
