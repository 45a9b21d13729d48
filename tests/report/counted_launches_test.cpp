#include "report/metrics/counted_launches.hpp"

#include "report/metrics/assemble.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace mpsbench::report {
namespace {

using schema::Disturbance;

// Launches with these median steps. A negative one is of a disturbed launch.
std::vector<schema::Launch> launches_of(const std::vector<double>& steps) {
  std::vector<schema::Launch> launches;
  for (const double step : steps) {
    launches.push_back(tests::good_launch(tests::steady_samples(std::abs(step), 21), std::ssize(launches)));
    if (step > 0) continue;
    launches.back().disturbed = Disturbance::background_load;
    launches.back().sensors = {schema::sensor_record(schema::sensor::kOtherCpuShare, 0.5)};
  }
  return launches;
}

std::vector<double> medians_of(const std::vector<schema::Launch>& launches) {
  std::vector<double> medians;
  for (const schema::Launch* launch : counted_launches(launches)) medians.push_back(launch->samples_seconds[0]);
  return medians;
}

TEST(CountedLaunches, AreTheUndisturbedIfThereAreThree) {
  EXPECT_EQ(medians_of(launches_of({1, -5, 2, -6, 3})), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(medians_of(launches_of({1, 2, 3})), (std::vector<double>{1, 2, 3}));
}

TEST(CountedLaunches, AreAllGoodOnesOtherwise) {
  EXPECT_EQ(medians_of(launches_of({1, -5, 2})), (std::vector<double>{1, 5, 2}));
  EXPECT_EQ(medians_of(launches_of({-1, -2, -3})), (std::vector<double>{1, 2, 3}));
  std::vector<schema::Launch> launches = launches_of({1, -5, 2, 3});
  launches[3].status = schema::Status::crashed;
  EXPECT_EQ(medians_of(launches), (std::vector<double>{1, 5, 2}));
}

TEST(LaunchCounts, TellWhatIsSetAside) {
  const LaunchCounts aside = launch_counts(launches_of({1, -5, 2, -6, 3}));
  EXPECT_EQ(std::tuple(aside.good, aside.disturbed, aside.counted), std::tuple(5U, 2U, 3U));
  const LaunchCounts all = launch_counts(launches_of({1, -5, 2}));
  EXPECT_EQ(std::tuple(all.good, all.disturbed, all.counted), std::tuple(3U, 1U, 3U));
}

schema::CaseResult assembled(const std::vector<double>& steps) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
  record.run.planned[0].repeats = std::ssize(steps);
  record.launches[record.run.planned[0].id] = launches_of(steps);
  return assemble(record).cases.front();
}

bool has_flag(const schema::CaseResult& result, const char* flag) {
  return std::ranges::find(result.flags, flag) != result.flags.end();
}

TEST(Assemble, TakesFiguresAndFlagsFromTheLaunchesThatCount) {
  const schema::CaseResult aside = assembled({1, -5, 1.001, -6, 0.999});
  EXPECT_DOUBLE_EQ(*aside.metrics.step_seconds.median, 1);
  EXPECT_LT(*aside.metrics.step_seconds.max, 2);
  EXPECT_EQ(aside.metrics.step_seconds.count, 3 * 21);
  EXPECT_EQ(aside.launches.size(), 5U);
  EXPECT_FALSE(has_flag(aside, "background-load") || has_flag(aside, "noisy") || has_flag(aside, "incomplete"));
  const schema::CaseResult all = assembled({1, -5, 1.001});
  EXPECT_GT(*all.metrics.step_seconds.max, 4);
  EXPECT_TRUE(has_flag(all, "background-load") && has_flag(all, "noisy"));
}

}  // namespace
}  // namespace mpsbench::report
