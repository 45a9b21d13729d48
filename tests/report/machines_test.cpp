#include "report/machines.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;

const std::vector<double> kSecond{1, 1.01, 0.99};

std::vector<double> times(double factor) {
  return {factor, 1.01 * factor, 0.99 * factor};
}

TEST(WorkOf, IsTheIdWithoutItsDevice) {
  EXPECT_EQ(work_of(compared_case("mlp/train/cuda:1/b64/fp32/eager/synthetic+seed=1", {})),
            "mlp/train/b64/fp32/eager/synthetic+seed=1");
}

TEST(MachineTable, HasARowForTheSameWorkAndAColumnForEachDevice) {
  const std::vector<ComparedReport> reports{
      compared_report("a", {compared_case("x/train/cpu/b1/fp32", kSecond),
                            compared_case("x/train/mps/b1/fp32", times(0.5)),
                            compared_case("y/train/cpu/b1/fp32", kSecond)}),
      compared_report("b", {compared_case("x/train/cpu/b1/fp32", times(2)),
                            compared_case("z/train/cpu/b1/fp32", kSecond)})};
  const MachineTable table = machine_table(reports);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[1].device, "mps");
  EXPECT_EQ(table.columns[2].report, &reports[1]);
  ASSERT_EQ(table.rows.size(), 3U);
  const MachineRow& first = table.rows[0];
  EXPECT_EQ(first.work, "x/train/b1/fp32");
  EXPECT_FALSE(first.cells[0].speed);
  EXPECT_NEAR(first.cells[1].speed->value, 2, 1e-12);
  EXPECT_NEAR(first.cells[2].speed->value, 0.5, 1e-12);
  EXPECT_TRUE(first.cells[1].best);
  EXPECT_FALSE(first.cells[0].best);
  EXPECT_EQ(table.rows[1].cells[2].result, nullptr);
  EXPECT_FALSE(table.rows[1].cells[0].best) << "it is the only one";
  EXPECT_EQ(table.rows[2].work, "z/train/b1/fp32");
}

TEST(MachineTable, LeavesDivergedAndFailedCasesOutOfTheRace) {
  ComparedReport report = compared_report(
      "a", {compared_case("x/train/cpu/b1/fp32", kSecond), compared_case("x/train/mps/b1/fp32", times(0.5)),
            compared_case("x/train/cuda/b1/fp32", {})});
  report.cases[1].flags = {"diverged"};
  const MachineTable table = machine_table({report});
  for (const MachineCell& cell : table.rows[0].cells) {
    EXPECT_FALSE(cell.best);
    EXPECT_FALSE(cell.speed);
  }
  EXPECT_TRUE(table.speed_ups.empty());
}

std::optional<std::int64_t> crossover(const std::vector<std::pair<int, std::vector<double>>>& gpu) {
  ComparedReport report = compared_report("a", {});
  for (const auto& [batch, seconds] : gpu) {
    const std::string size = "/b" + std::to_string(batch) + "/fp32";
    report.cases.push_back(compared_case("x/train/cuda" + size, seconds));
    report.cases.push_back(compared_case("x/train/cpu" + size, kSecond));
  }
  const MachineTable table = machine_table({report});
  EXPECT_EQ(table.speed_ups.size(), 1U);
  EXPECT_EQ(table.speed_ups[0].family, "x/train/fp32");
  EXPECT_EQ(table.speed_ups[0].by_batch.size(), gpu.size());
  return table.speed_ups[0].crossover;
}

TEST(SpeedUps, CrossOverWhereTheDeviceWinsFromThereOn) {
  EXPECT_EQ(crossover({{16, times(0.5)}, {1, times(4)}, {4, times(0.9)}}), 4);
  EXPECT_EQ(crossover({{1, times(0.5)}, {4, times(2)}, {16, times(0.5)}}), 16) << "4 is lost again";
  EXPECT_EQ(crossover({{1, times(2)}, {4, kSecond}}), std::nullopt);
  EXPECT_EQ(crossover({{1, {0.99, 0.95, 0.9, 1.01}}}), std::nullopt) << "the interval holds 1";
}

}  // namespace
}  // namespace mpsbench::report
