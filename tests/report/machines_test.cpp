#include "report/compare/machines.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;
using tests::published_case;

const std::vector<double> kSecond{1, 1.01, 0.99};

std::vector<double> seconds_times(double factor) {
  return {factor, 1.01 * factor, 0.99 * factor};
}

TEST(WorkOf, IsTheIdWithoutItsDevice) {
  EXPECT_EQ(work_of(compared_case("mlp/train/cuda:1/b64/fp32/eager/synthetic+seed=1", {})),
            "mlp/train/b64/fp32/eager/synthetic+seed=1");
}

TEST(MachineTable, HasARowForTheSameWorkAndAColumnForEachDevice) {
  const std::vector<ComparedReport> reports{
      compared_report(
          "a", {compared_case("x/train/cpu/b1/fp32", kSecond), compared_case("x/train/mps/b1/fp32", seconds_times(0.5)),
                compared_case("y/train/cpu/b1/fp32", kSecond)}),
      compared_report("b", {compared_case("x/train/cpu/b1/fp32", seconds_times(2)),
                            compared_case("z/train/cpu/b1/fp32", kSecond)})};
  const MachineTable table = machine_table(reports);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[1].device, schema::DeviceId("mps"));
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
  EXPECT_FALSE(table.rows[1].cells[0].best) << "it is the only cell in its row";
  EXPECT_EQ(table.rows[2].work, "z/train/b1/fp32");
}

TEST(MachineTable, LeavesDivergedAndFailedCasesOutOfTheRace) {
  ComparedReport report = compared_report(
      "a", {compared_case("x/train/cpu/b1/fp32", kSecond), compared_case("x/train/mps/b1/fp32", seconds_times(0.5)),
            compared_case("x/train/cuda/b1/fp32", {})});
  for (const char* flag : {"diverged", "not-learning"}) {
    report.cases[1].flags = {flag};
    const MachineTable table = machine_table({report});
    for (const MachineCell& cell : table.rows[0].cells) {
      EXPECT_FALSE(cell.best) << flag;
      EXPECT_FALSE(cell.speed) << flag;
    }
    EXPECT_TRUE(table.speed_ups.empty()) << flag;
  }
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
  EXPECT_EQ(crossover({{16, seconds_times(0.5)}, {1, seconds_times(4)}, {4, seconds_times(0.9)}}), 4);
  EXPECT_EQ(crossover({{1, seconds_times(0.5)}, {4, seconds_times(2)}, {16, seconds_times(0.5)}}), 16)
      << "the device is slower at batch 4";
  EXPECT_EQ(crossover({{1, seconds_times(2)}, {4, kSecond}}), std::nullopt);
  EXPECT_EQ(crossover({{1, {0.99, 0.95, 0.9, 1.01}}}), std::nullopt) << "the interval contains 1";
  EXPECT_EQ(crossover({{1, seconds_times(0.5)}, {4, {0.5}}}), std::nullopt) << "a single launch decides nothing";
  EXPECT_EQ(crossover({{1, {0.5}}, {4, seconds_times(0.5)}}), 4) << "nothing is certain at batch 1";
}

TEST(MachineTable, ASingleLaunchHasASpeedWithoutAnInterval) {
  const MachineTable table = machine_table({compared_report(
      "a", {compared_case("x/train/cpu/b1/fp32", kSecond), compared_case("x/train/cuda/b1/fp32", {0.25}),
            compared_case("x/train/mps/b1/fp32", seconds_times(0.5))})});
  const std::vector<MachineCell>& cells = table.rows.at(0).cells;
  EXPECT_EQ(cells[1].speed.value().value, 4);
  EXPECT_TRUE(cells[1].speed->within_launch);
  EXPECT_FALSE(cells[1].speed->ci95);
  EXPECT_FALSE(cells[2].speed.value().within_launch);
  EXPECT_TRUE(cells[2].speed->ci95);
  ASSERT_EQ(table.speed_ups.size(), 2U);
  EXPECT_TRUE(table.speed_ups[0].by_batch.at(0).speed.within_launch);
}

TEST(PublishedFigures, AreComparedByTheirIntervals) {
  const std::vector<ComparedReport> reports{
      compared_report("mine", {compared_case("x/train/cuda/b1/fp32", {1})}),
      compared_report("theirs", {published_case("x/train/cpu/b1/fp32", 4, schema::Interval{3.6, 4.4}),
                                 published_case("x/train/mps/b1/fp32", 0.5, std::nullopt)})};
  MachineTable table = machine_table(reports);
  ASSERT_EQ(table.columns.size(), 3U);
  const std::vector<MachineCell>& cells = table.rows.at(0).cells;
  EXPECT_DOUBLE_EQ(cells[1].speed.value().value, 0.25);
  EXPECT_FALSE(cells[1].speed.value().ci95) << "one launch has no interval";
  EXPECT_TRUE(cells[1].speed.value().within_launch) << "one launch was measured";
  EXPECT_TRUE(cells[2].best);
  ASSERT_EQ(table.speed_ups.size(), 1U);
  EXPECT_DOUBLE_EQ(table.speed_ups[0].by_batch.at(0).speed.value, 8);
  EXPECT_FALSE(table.speed_ups[0].crossover) << "without an interval nothing is certain";

  std::vector<ComparedReport> better = reports;
  better[0].cases[0].ci95 = schema::Interval{0.9, 1.1};
  better[1].cases[1].ci95 = schema::Interval{0.4, 0.6};
  table = machine_table(better);
  const Speed speed = table.rows.at(0).cells[1].speed.value();
  EXPECT_DOUBLE_EQ(speed.ci95.value().low, 0.9 / 4.4);
  EXPECT_DOUBLE_EQ(speed.ci95.value().high, 1.1 / 3.6);
  EXPECT_EQ(table.speed_ups.at(0).crossover, 1);
}

TEST(PublishedFigures, OfOtherWorkAreNeitherComparedNorBest) {
  const auto with_caution = [](const char* caution) {
    return std::vector<ComparedReport>{
        compared_report("mine", {compared_case("x/train/mps/b1/fp32", kSecond)}),
        compared_report("slow", {compared_case("x/train/mps/b1/fp32", seconds_times(2))}),
        compared_report("theirs", {published_case("x/train/mps/b1/fp32", 0.1, std::nullopt, {caution})})};
  };
  for (const char* caution : {"mislabelled-workload", "older-script-variant", "tf32-by-default"}) {
    const auto reports = with_caution(caution);
    const MachineTable table = machine_table(reports);
    EXPECT_TRUE(table.rows.at(0).cells[0].best) << caution;
    EXPECT_FALSE(table.rows.at(0).cells[2].speed) << caution;
  }
  const auto reports = with_caution("coarse-resolution");
  EXPECT_TRUE(machine_table(reports).rows.at(0).cells[2].best);
}

// Rows as "WORK: the text of each cell".
template <typename TextOf>
std::vector<std::string> rows_of(const std::vector<ComparedReport>& reports, TextOf text_of) {
  std::vector<std::string> rows;
  for (const MachineRow& row : machine_table(reports).rows) {
    std::string& text = rows.emplace_back(row.work + ":");
    for (const MachineCell& cell : row.cells) text += cell.is_empty() ? " -" : " " + cell.result->id + text_of(cell);
  }
  return rows;
}

std::vector<std::string> rows_of(const std::vector<ComparedReport>& reports) {
  return rows_of(reports, [](const MachineCell& cell) { return std::string(cell.best ? " (best)" : ""); });
}

TEST(MachineTable, SortsBatchSizesAsNumbers) {
  EXPECT_EQ(
      rows_of({compared_report("a", {compared_case("x/train/cpu/b16/fp32", kSecond)}),
               compared_report("b", {compared_case("x/train/cpu/b8/fp32", kSecond)})}),
      (std::vector<std::string>{"x/train/b8/fp32: - x/train/cpu/b8/fp32", "x/train/b16/fp32: x/train/cpu/b16/fp32 -"}));
}

TEST(PublishedFigures, StandBesideTheCaseThatRepeatsTheirLoop) {
  const std::vector<ComparedReport> reports{
      compared_report("mine", {compared_case("x/train/cpu/b1/s+as-published=true+epochs=1", kSecond),
                               compared_case("x/infer/cpu/b1/s+as-published=true+iterations=6+rows=9", kSecond)}),
      compared_report("theirs", {published_case("x/train/mps/b1/s+epochs=1", 0.5, std::nullopt),
                                 published_case("x/train/mps/b2/s+epochs=1", 0.5, std::nullopt),
                                 published_case("x/infer/mps/b1/s+rows=9", 4, std::nullopt)})};
  EXPECT_EQ(
      rows_of(reports),
      (std::vector<std::string>{"x/train/b1/s+as-published=true+epochs=1: x/train/cpu/b1/s+as-published=true+epochs=1 "
                                "x/train/mps/b1/s+epochs=1 (best)",
                                "x/infer/b1/s+as-published=true+iterations=6+rows=9: "
                                "x/infer/cpu/b1/s+as-published=true+iterations=6+rows=9 (best) x/infer/mps/b1/s+rows=9",
                                "x/train/b2/s+epochs=1: - x/train/mps/b2/s+epochs=1"}));
}

TEST(PublishedFigures, StandBesideAPlainCaseToo) {
  const std::vector<ComparedReport> reports{
      compared_report("mine", {compared_case("x/train/mps/b1/s+as-published=true+epochs=1", kSecond),
                               compared_case("x/train/mps/b1/s+epochs=1", seconds_times(2))}),
      compared_report("theirs", {published_case("x/train/cpu/b1/s+epochs=1", 4, std::nullopt),
                                 published_case("x/train/mps/b1/s+epochs=1", 0.5, std::nullopt)})};
  EXPECT_EQ(
      rows_of(reports),
      (std::vector<std::string>{"x/train/b1/s+as-published=true+epochs=1: x/train/mps/b1/s+as-published=true+epochs=1 "
                                "x/train/cpu/b1/s+epochs=1 x/train/mps/b1/s+epochs=1 (best)",
                                "x/train/b1/s+epochs=1: x/train/mps/b1/s+epochs=1 x/train/cpu/b1/s+epochs=1 "
                                "x/train/mps/b1/s+epochs=1 (best)"}));
  const MachineTable table = machine_table(reports);
  ASSERT_EQ(table.speed_ups.size(), 1U);
  EXPECT_EQ(table.speed_ups[0].family, "x/train/s+epochs=1");
  EXPECT_EQ(table.speed_ups[0].by_batch.size(), 1U) << "the figure counts once";
}

TEST(PublishedFigures, DoNotJoinMeasuredCases) {
  const std::vector<ComparedReport> reports{
      compared_report("a", {compared_case("x/train/cpu/b1/s+as-published=true+epochs=1", kSecond)}),
      compared_report("b", {compared_case("x/train/mps/b1/s+epochs=1", kSecond)})};
  EXPECT_EQ(rows_of(reports),
            (std::vector<std::string>{
                "x/train/b1/s+as-published=true+epochs=1: x/train/cpu/b1/s+as-published=true+epochs=1 -",
                "x/train/b1/s+epochs=1: - x/train/mps/b1/s+epochs=1"}));
}

TEST(PublishedFigures, KeepTheirCountOfTrainingSteps) {
  const auto stands_beside = [](const char* mine, const char* theirs) {
    const std::vector<ComparedReport> reports{compared_report("mine", {compared_case(mine, kSecond)}),
                                              compared_report("theirs", {published_case(theirs, 1, std::nullopt)})};
    return machine_table(reports).rows.size() == 1;
  };
  EXPECT_TRUE(stands_beside("x/train/cpu/b1/s+affinity=0+epochs=1+threads=1", "x/train/mps/b1/s+epochs=1"));
  EXPECT_TRUE(stands_beside("x/train/cpu/b1/s+as-published=true+iterations=9", "x/train/mps/b1/s+iterations=9"));
  EXPECT_FALSE(stands_beside("x/train/cpu/b1/s+as-published=true+iterations=9", "x/train/mps/b1/s"));
  EXPECT_TRUE(stands_beside("x/infer/cpu/b1/s+as-published=true+iterations=9", "x/infer/mps/b1/s"));
  EXPECT_FALSE(stands_beside("x/infer/cpu/b1/s+iterations=9", "x/infer/mps/b1/s"));
}

std::vector<std::string> settings_of(const std::vector<ComparedReport>& reports) {
  return rows_of(reports, [](const MachineCell& cell) { return "(" + cell.own_settings + ")"; });
}

// What a machine chooses for itself.
struct OwnSettings {
  std::int64_t threads = 0;
  std::optional<std::int64_t> interop_threads;
  std::optional<std::string> affinity;
  std::optional<std::int64_t> workers;
};

ComparedCase with_own(const char* id, const OwnSettings& own, double seconds = 1) {
  ComparedCase result = compared_case(id, seconds_times(seconds));
  result.spec.threads = own.threads;
  result.spec.interop_threads = own.interop_threads;
  result.spec.affinity = own.affinity;
  result.spec.workers = own.workers;
  return result;
}

TEST(OwnSettings, DoNotKeepMachinesApart) {
  const ComparedReport a = compared_report("a", {with_own("x/train/cpu/b1/s+threads=1", {1, {}, {}, {}})});
  const ComparedReport b = compared_report("b", {with_own("x/train/cpu/b1/s", {8, {}, {}, {}})});
  EXPECT_EQ(settings_of({a, b}), std::vector<std::string>{"x/train/b1/s: x/train/cpu/b1/s+threads=1(1 thread) "
                                                          "x/train/cpu/b1/s(8 threads)"});
  const ComparedReport pinned =
      compared_report("c", {with_own("x/train/cpu/b1/s+affinity=0-3+interop-threads=2+workers=4", {8, 2, "0-3", 4})});
  EXPECT_EQ(settings_of({b, pinned}),
            std::vector<std::string>{"x/train/b1/s: x/train/cpu/b1/s() "
                                     "x/train/cpu/b1/s+affinity=0-3+interop-threads=2+workers=4(2 interop threads, "
                                     "affinity 0-3, 4 workers)"});
}

TEST(OwnSettings, ThatAreEqualPairFirst) {
  const std::vector<OwnSettings> own{{1, {}, {}, {}}, {2, {}, {}, {}}, {4, {}, {}, {}}};
  const ComparedReport a = compared_report(
      "a", {with_own("x/train/cpu/b1/s+threads=1", own[0]), with_own("x/train/cpu/b1/s+threads=2", own[1])});
  const ComparedReport b = compared_report(
      "b", {with_own("x/train/cpu/b1/s+threads=2", own[1]), with_own("x/train/cpu/b1/s+threads=4", own[2], 0.5)});
  EXPECT_EQ(
      settings_of({a, b}),
      (std::vector<std::string>{"x/train/b1/s+threads=1: x/train/cpu/b1/s+threads=1() -",
                                "x/train/b1/s+threads=2: x/train/cpu/b1/s+threads=2() x/train/cpu/b1/s+threads=2()",
                                "x/train/b1/s+threads=4: - x/train/cpu/b1/s+threads=4()"}));
}

TEST(PublishedFigures, MayBeASpeedUpAlone) {
  ComparedReport report = compared_report("theirs", {published_case("x/train/mps/b64/fp32", 1, std::nullopt)});
  report.cases[0].step_seconds.reset();
  report.cases[0].published.value().speed_up = 8;
  const std::vector<ComparedReport> reports{report};
  const MachineTable table = machine_table(reports);
  ASSERT_EQ(table.speed_ups.size(), 1U);
  EXPECT_EQ(table.speed_ups[0].by_batch.at(0).speed.value, 8);
  EXPECT_FALSE(table.speed_ups[0].by_batch[0].speed.ci95 || table.speed_ups[0].crossover);
}

}  // namespace
}  // namespace mpsbench::report
