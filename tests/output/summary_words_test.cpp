#include "output/console/summary_words.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using report::ComparedCase;
using report::ComparedReport;
using Lines = std::vector<std::string>;

// The report of a machine with cases of mlp by their batch sizes and times.
ComparedReport machine(const std::string& name, const std::vector<std::pair<int, double>>& cases,
                       const std::string& model = "mlp") {
  std::vector<ComparedCase> all;
  for (const auto& [batch, seconds] : cases)
    all.push_back(tests::compared_case(model + "/train/cpu/b" + std::to_string(batch) + "/fp32/eager/synthetic",
                                       {seconds, seconds}));
  ComparedReport report = tests::compared_report(name + ".json", all);
  report.host.name = name;
  return report;
}

Lines words_of(const std::vector<ComparedReport>& reports) {
  const report::MachineTable table = machine_table(reports);
  return summary_words(machine_summary(table));
}

TEST(SummaryWords, SayHowFastAMachineIs) {
  EXPECT_EQ(words_of({machine("m1", {{1, 12}, {2, 730}, {4, 960}}), machine("h200", {{1, 1}, {2, 1}, {4, 1}})}),
            Lines{"B (h200) is 730 times as fast as A (m1) in the median of 3 shared cases, 12 to 960."});
  EXPECT_EQ(words_of({machine("h200", {{1, 1}, {2, 1}}), machine("m1", {{1, 2}, {2, 4}})}),
            Lines{"B (m1) is 2.8 times slower than A (h200) in the median of 2 shared cases, 2.0 to 4.0."});
  EXPECT_EQ(words_of({machine("a", {{1, 1}, {2, 1}}), machine("b", {{1, 2}, {2, 0.25}})}),
            Lines{"B (b) is 1.4 times as fast as A (a) in the median of 2 shared cases, 0.500× to 4.00×."});
  EXPECT_EQ(words_of({machine("a", {{1, 2}}), machine("b", {{1, 1}})}),
            Lines{"B (b) is 2.0 times as fast as A (a) in the one shared case (±0.0 %)."});
}

TEST(SummaryWords, NameTheNearestCasesAndTheCommandIfNothingPairs) {
  EXPECT_EQ(words_of({machine("a", {{1, 2}}), machine("b", {{8, 1}})}),
            Lines{"No case is in both reports. The nearest are mlp/train/cpu/b1/fp32/eager/synthetic in a.json and "
                  "mlp/train/cpu/b8/fp32/eager/synthetic in b.json: batch size 1 and 8. To share one: mpsbench run "
                  "-m mlp --mode train -b 8"});
}

TEST(SummaryWords, LeaveOutMachinesInOneLine) {
  std::vector<ComparedReport> reports{machine("a", {{1, 2}}), machine("b", {{1, 1}})};
  for (int i = 0; i < 7; ++i) reports.push_back(machine("x" + std::to_string(i), {{i == 0 ? 64 : 8, 1}}, "lenet5"));
  EXPECT_EQ(words_of(reports),
            (Lines{"B (b) is 2.0 times as fast as A (a) in the one shared case (±0.0 %).",
                   "Left out: 7 reports that share no case with a: x0; x1; x2; x3; x4 and 2 more. To share one with 6 "
                   "of them: mpsbench run -m lenet5 --mode train -b 8",
                   "2 cases that are not shared are left out (csv and json have all)."}));
}

TEST(SummaryWords, SayThatTheFirstReportSharesNothingAndWhatItLacks) {
  EXPECT_EQ(words_of({machine("mine", {{1, 2}}), machine("b", {{8, 2}}), machine("c", {{8, 1}}),
                      machine("d", {{64, 1}}, "lenet5")}),
            (Lines{"mine shares no case with another report. To share one with 2 reports, run on its machine: "
                   "mpsbench run -m mlp --mode train -b 8",
                   "B (c) is 2.0 times as fast as A (b) in the one shared case (±0.0 %).",
                   "Left out: 1 report that shares no case with b: d.",
                   "2 cases that are not shared are left out (csv and json have all)."}));
}

TEST(SummaryWords, CountMachinesWithoutATimeToCompare) {
  std::vector<ComparedReport> reports{machine("a", {{1, 2}}), machine("b", {{1, 1}}), machine("c", {{1, 1}})};
  reports[2].cases[0].flags = {"diverged"};
  EXPECT_EQ(words_of(reports), (Lines{"B (b) is 2.0 times as fast as A (a) in the one shared case (±0.0 %).",
                                      "1 report has no time to compare with A (a)."}));
  const report::MachineTable table = machine_table(reports);
  EXPECT_EQ(machine_speeds_grid(machine_summary(table)).rows.size(), 2U);
}

TEST(SummaryWords, TellRunsOfOneMachineApart) {
  ComparedReport first = machine("a", {{1, 2}});
  ComparedReport second = machine("a", {{1, 1}});
  first.started_at = "2026-11-21T09:00:00Z";
  second.started_at = "2026-11-22T09:00:00Z";
  EXPECT_EQ(words_of({first, second}),
            Lines{"B (a, 2026-11-22) is 2.0 times as fast as A (a, 2026-11-21) in the one shared case (±0.0 %)."});
}

}  // namespace
}  // namespace mpsbench::output
