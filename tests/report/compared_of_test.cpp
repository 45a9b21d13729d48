#include "report/compare/comparability.hpp"
#include "report/compare/compared_report.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

// Returns the GPU clocks of a launch, as its sensors report them.
std::vector<schema::SensorRecord> clocks(double hertz, bool set_by_hand) {
  return {schema::sensor_record(schema::sensor::kGpuClock, hertz),
          schema::sensor_record(schema::sensor::kGpuClocksSetting, set_by_hand ? 1 : 0)};
}

TEST(ComparedOf, SeesAllThatTheVerdictsAskFor) {
  schema::CaseResult measured = tests::timed_case(4, 0.1);
  measured.launches[0].sensors = clocks(1.5e9, true);
  measured.launches[0].backend = {{"matmul", "tf32"}};
  measured.flags = {"noisy"};
  schema::CaseResult published = tests::timed_case(16, 0.3, 0);
  published.published = schema::Published{};
  published.metrics.step_seconds.mean = 0.3;
  schema::Report report = tests::paged_report({measured, tests::unmeasured_case(), published});
  report.run.planned.resize(1);
  report.run.planned[0].id = measured.id;
  report.run.planned[0].threshold = 0.05;
  report.run.planned[0].measure.max_time_seconds = 3;

  const ComparedReport compared = compared_of(report, "file");
  EXPECT_EQ(compared.file, "file");
  EXPECT_EQ(compared.run_id, report.run.id);
  EXPECT_EQ(compared.host.name, report.host.name);
  EXPECT_TRUE(compared.is_published());
  ASSERT_EQ(compared.cases.size(), 3U);
  const ComparedCase& first = compared.cases[0];
  EXPECT_EQ(first.spec, measured.spec);
  EXPECT_EQ(first.launches.size(), measured.launches.size());
  EXPECT_EQ(first.gpu_clock.hertz, 1.5e9);
  EXPECT_EQ(first.gpu_clock.is_set_by_hand, true);
  EXPECT_EQ(first.backend.at("matmul"), "tf32");
  EXPECT_EQ(first.threshold, 0.05);
  EXPECT_EQ(first.max_launch_seconds, 3);
  EXPECT_TRUE(first.has_flag("noisy"));
  EXPECT_EQ(compared.cases[2].step_seconds, 0.3);
}

// If something keeps `compare` from a verdict, it also keeps the gate from one.
TEST(ComparedOf, ClocksSetByHandOnOneSideAreAnObstacle) {
  schema::CaseResult result = tests::timed_case(4, 0.1);
  for (schema::Launch& launch : result.launches) launch.sensors = clocks(1.5e9, true);
  const ComparedReport before = compared_of(tests::paged_report({result}), "before");
  for (schema::Launch& launch : result.launches) launch.sensors = clocks(1.5e9, false);
  const ComparedReport after = compared_of(tests::paged_report({result}), "after");
  EXPECT_EQ(comparability(before, after).obstacles,
            std::vector<std::string>{"GPU clocks set by hand before, automatic after: " + result.id});
  EXPECT_TRUE(comparability(before, before).obstacles.empty());
}

TEST(ComparedOf, LeavesOutTimesThatAreNone) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 2);
  result.launches[0].samples_seconds = {0, 0, 0};
  result.launches.push_back(tests::bad_launch(schema::Status::crashed, "signal 11", 2));
  const ComparedReport report = compared_of(tests::paged_report({result}), "A");
  ASSERT_EQ(report.cases[0].launches.size(), 1U);
  EXPECT_EQ(report.cases[0].launches[0].index, 1);
}

}  // namespace
}  // namespace mpsbench::report
