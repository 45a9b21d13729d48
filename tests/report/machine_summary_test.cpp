#include "report/compare/machine_summary.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {

namespace {

using tests::compared_case;
using tests::compared_report;

ComparedCase timed(const std::string& start, double seconds) {
  return compared_case(start + "/fp32/eager/synthetic", {seconds, seconds});
}

TEST(MachineSummary, ComparesTheFastestDevicesOfTwoMachines) {
  const std::vector<ComparedReport> reports{
      compared_report("mine", {timed("x/train/cpu/b1", 8), timed("x/train/mps/b1", 4), timed("x/train/cpu/b2", 8),
                               timed("x/train/cpu/b4", 8), timed("y/train/cpu/b1", 1)}),
      compared_report("theirs", {timed("x/train/cuda/b1", 1), timed("x/train/cuda/b2", 1),
                                 timed("x/train/cuda/b4", 0.5), timed("z/train/cuda/b1", 1)})};
  const MachineTable table = machine_table(reports);
  const MachineSummary summary = machine_summary(table);
  EXPECT_EQ(summary.base, &reports[0]);
  ASSERT_EQ(summary.machines.size(), 1U);
  EXPECT_EQ(summary.machines[0].speeds.size(), 3U);
  EXPECT_DOUBLE_EQ(summary.machines[0].median, 8);
  EXPECT_DOUBLE_EQ(summary.machines[0].least, 4);
  EXPECT_DOUBLE_EQ(summary.machines[0].most, 16);
  EXPECT_EQ(summary.shared.rows.size(), 3U);
  EXPECT_EQ(summary.other_rows, 2U);
  EXPECT_TRUE(summary.left_out.empty());
}

TEST(MachineSummary, LeavesOutMachinesThatShareNothingAndKnowsWhatWould) {
  const std::vector<ComparedReport> reports{
      compared_report("lonely", {timed("q/train/cpu/b1", 1)}),
      compared_report("mine", {timed("x/train/cpu/b1", 1)}),
      compared_report("theirs", {timed("x/train/cuda/b1", 1)}),
      compared_report("c", {timed("x/train/cuda/b64", 1), timed("w/train/cuda/b8", 1)}),
      compared_report("d", {timed("x/train/cpu/b32", 1)}),
      compared_report("e", {timed("x/train/mps/b32", 1)})};
  const MachineTable table = machine_table(reports);
  const MachineSummary summary = machine_summary(table);
  EXPECT_EQ(summary.base, &reports[1]);
  EXPECT_EQ(summary.shared.columns.size(), 2U);
  ASSERT_EQ(summary.left_out.size(), 4U);
  EXPECT_EQ(summary.left_out[1].nearest.value().other, reports[3].cases.data());
  EXPECT_EQ(summary.lonely, reports.data());
  EXPECT_EQ(summary.left_out[0].nearest.value().other, reports[1].cases.data());
  EXPECT_EQ(summary.lonely_to_share.value().result, reports[1].cases.data());
  EXPECT_EQ(summary.lonely_to_share->machines, 2U);
  EXPECT_EQ(summary.to_share.value().result, reports[4].cases.data());
  EXPECT_EQ(summary.to_share->machines, 2U);
  const std::vector<ComparedReport> rest(reports.begin() + 1, reports.end());
  const MachineTable rest_table = machine_table(rest);
  const MachineSummary of_rest = machine_summary(rest_table);
  EXPECT_EQ(of_rest.lonely, nullptr);
  EXPECT_EQ(of_rest.to_share.value().result->spec.batch_size, 32);
  EXPECT_EQ(of_rest.to_share->machines, 2U);
}

TEST(MachineSummary, OfOneReportComparesItsDevicesWithItsCpu) {
  const std::vector<ComparedReport> reports{
      compared_report("mine", {timed("x/train/mps/b1", 4), timed("x/train/cpu/b1", 8)})};
  const MachineTable table = machine_table(reports);
  const MachineSummary summary = machine_summary(table);
  EXPECT_EQ(summary.base_column.device, schema::DeviceId("cpu"));
  ASSERT_EQ(summary.machines.size(), 1U);
  EXPECT_DOUBLE_EQ(summary.machines[0].median, 2);
}

ComparedReport report_of(const std::vector<std::string>& ids) {
  std::vector<ComparedCase> cases;
  for (const std::string& id : ids) cases.push_back(compared_case(id, {1}));
  return compared_report("a", cases);
}

TEST(NearestCases, DifferLeast) {
  const ComparedReport mine =
      report_of({"mlp/train/cpu/b64/fp32/eager/synthetic", "lenet5/train/cpu/b64/fp32/eager/synthetic+threads=1"});
  const ComparedReport theirs =
      report_of({"vgg16/train/cuda/b64/fp32/eager/synthetic", "lenet5/infer/cuda/b64/fp32/eager/synthetic",
                 "lenet5/train/cuda/b8/bf16/eager/synthetic+channels-last=true"});
  const auto nearest = nearest_cases(mine, theirs).value();
  EXPECT_EQ(nearest.one, &mine.cases[1]);
  EXPECT_EQ(nearest.other, &theirs.cases[2]) << "the same network and mode count more than the rest";
  EXPECT_EQ(nearest.differences, (std::vector<std::string>{"batch size 64 and 8", "precision fp32 and bf16",
                                                           "channels-last none and true"}));
}

TEST(NearestCases, NeedACase) {
  EXPECT_FALSE(nearest_cases(report_of({}), report_of({"mlp/train/cpu/b64/fp32/eager/synthetic"})));
}

TEST(NearestCases, OfForeignIdsDoNotFail) {
  EXPECT_TRUE(nearest_cases(report_of({"x/y/cpu/b1"}), report_of({"x/y/cpu/b2/+=+a=+/"})));
}

}  // namespace

}  // namespace mpsbench::report
