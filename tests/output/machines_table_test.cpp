#include "output/console/machines_table.hpp"

#include "support/compared.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::compared_case;
using tests::compared_report;
using tests::contains;
using Lines = std::vector<std::string>;

std::string table_of(const std::vector<report::ComparedReport>& reports, std::size_t width = kUsualWidth) {
  return machines_table(machine_summary(machine_table(reports)), false, width);
}

std::vector<report::ComparedReport> two_machines() {
  report::ComparedReport first =
      compared_report("a.json", {compared_case("mlp/train/cpu/b1/fp32/eager/synthetic", {0.001, 0.001}),
                                 compared_case("mlp/train/mps/b1/fp32/eager/synthetic", {0.0005, 0.0005}),
                                 compared_case("mlp/train/cpu/b8/fp32/eager/synthetic", {0.004, 0.004}),
                                 compared_case("mlp/train/mps/b8/fp32/eager/synthetic", {})});
  first.host.memory_bytes = std::int64_t{8} << 30;
  first.host.os.name = "Debian";
  first.host.os.version = "12";
  first.host.accelerators = {{"mps", "Apple M1", std::nullopt}};
  first.cases[3].status = schema::Status::oom;
  report::ComparedReport second =
      compared_report("b.json", {compared_case("mlp/train/cpu/b1/fp32/eager/synthetic", {0.002, 0.002})});
  second.host.name = "m2\x1b";
  return {first, second};
}

TEST(MachinesTable, SetsMachinesSideBySide) {
  const auto reports = two_machines();
  EXPECT_EQ(table_of(reports),
            "B (m2?) is 4.0 times slower than A (epyc-0a1b) in the one shared case (±0.0 %).\n"
            "\n"
            "A  epyc-0a1b · AMD EPYC, 8 GB · Debian 12 · mps Apple M1 · a.json · times are geometric means\n"
            "B  m2? · AMD EPYC · b.json · times are geometric means\n"
            "\n"
            "case          A cpu       A mps                      B cpu\n"
            "mlp/train/b1  1.00 ms ±?  500 µs ±?  2.00× ±0.0 % *  2.00 ms ±?  0.500× ±0.0 %\n"
            "mlp/train/b8  4.00 ms ±?  out of memory              –\n"
            "\n"
            "against the CPU  device  speed-up  95 % interval\n"
            "mlp/train/b1     A mps      2.00×  2.00× … 2.00×\n"
            "mlp/train/fp32/eager/synthetic on A mps: crossover: 1; at batch 1 it is 2.0 times as fast\n");
}

TEST(MachinesTable, SaysWhyASpeedHasANarrowIntervalAlsoInMarkdown) {
  const std::string why =
      "The interval of a speed may be narrower than those of its times: it is of both sides' launches "
      "together, "
      "and leaves out how samples vary inside a launch.\n";
  auto reports = two_machines();
  EXPECT_FALSE(contains(table_of(reports), why));
  reports[1].cases[0].ci95 = schema::Interval{0.0018, 0.0022};
  EXPECT_TRUE(table_of(reports).find("0.500× ±0.0 %\n") < table_of(reports).find(why)) << table_of(reports);
  const std::string text = machines_markdown(machine_summary(machine_table(reports)));
  EXPECT_TRUE(contains(text, "\n\n" + why));
  EXPECT_TRUE(contains(text, "- A  epyc-0a1b"));
  EXPECT_TRUE(
      contains(text, "| mlp/train/b1 | 1.00 ms ±? | 500 µs ±?  2.00× ±0.0 % \\* | 2.00 ms ±10 %  0.500× ±0.0 % |\n"))
      << text;
  EXPECT_TRUE(
      contains(text, "- mlp/train/fp32/eager/synthetic on A mps: crossover: 1; at batch 1 it is 2.0 times as fast\n"));
}

TEST(MachinesTable, ShowsTheTimeToTheFirstToken) {
  const std::string id = "gpt2/generate/cpu/b1/fp32/eager/synthetic";
  std::vector<report::ComparedReport> reports{compared_report("a.json", {compared_case(id, {0.002, 0.002})}),
                                              compared_report("b.json", {tests::published_case(id, 1, std::nullopt)})};
  for (report::ComparedLaunch& launch : reports[0].cases[0].launches)
    launch.others[schema::GatedMetric::first_token] = 0.03;
  reports[1].cases[0].published_first_token_seconds = 0.04;
  reports[1].cases[0].step_seconds.reset();
  EXPECT_TRUE(contains(table_of(reports), " 2.00 ms ±?  first token 30.0 ms  not published  first token 40.0 ms\n"))
      << table_of(reports);
}

TEST(MachinesTable, MarksPublishedFigures) {
  const std::string id = "mlp/train/mps/b1/fp32/eager/synthetic";
  std::vector<report::ComparedReport> reports{
      compared_report("mine.json", {compared_case(id, {0.002, 0.002})}),
      compared_report("theirs.json",
                      {tests::published_case(id, 0.001, schema::Interval{0.0009, 0.0011}, {"mislabelled-workload"})}),
      compared_report("none.json", {tests::published_case(id, 1, std::nullopt)})};
  reports[1].host.name = "M1";
  reports[1].host.cpu.model = "";
  reports[2].cases[0].step_seconds.reset();
  reports[2].cases[0].published->speed_up = 8;
  EXPECT_EQ(table_of(reports),
            "A  epyc-0a1b, mine.json · AMD EPYC · mine.json · times are geometric means\n"
            "B  M1 (published) · theirs.json · times are means\n"
            "C  epyc-0a1b, none.json (published) · AMD EPYC · none.json · times are means\n"
            "\n"
            "case          A mps       B mps (published)          C mps (published)\n"
            "mlp/train/b1  2.00 ms ±?  1.00 ms ±10 %  other work  not published\n"
            "\n"
            "against the CPU  device             speed-up  95 % interval\n"
            "mlp/train/b1     C mps (published)     8.00×              –\n")
      << "without an interval there is no crossover";
}

TEST(MachinesTable, MarksRunsAndFiguresThatDidNotWaitForTheDevice) {
  const std::string id = "mlp/train/mps/b1/fp32/eager/synthetic";
  std::vector<report::ComparedReport> reports{
      compared_report("theirs.json",
                      {tests::published_case(id, 0.001, schema::Interval{0.0009, 0.0012}, {"no-synchronise"})}),
      compared_report("mine.json", {compared_case(id + "+as-published=true", {0.002, 0.002})}),
      compared_report("other.json", {compared_case(id, {0.002, 0.002})})};
  reports[1].cases[0].flags = {"as-published"};
  reports[2].cases[0].flags = {"not-learning"};
  const std::string text = table_of(reports);
  EXPECT_TRUE(contains(text, "1.00 ms −10 % +20 %  no-synchronise")) << text;
  EXPECT_TRUE(contains(text, "2.00 ms ±?  0.500× ±?  as-published")) << text;
  EXPECT_TRUE(contains(text, "2.00 ms ±?  not-learning\n")) << text << "a ratio would be of a step that fails";
}

TEST(MachinesTable, ShowsPublishedSpeedUpsAlone) {
  std::vector<report::ComparedReport> reports{compared_report(
      "apple.json", {tests::published_case("vgg16/train/mps/b64/fp32/eager/synthetic", 1, std::nullopt)})};
  reports[0].cases[0].step_seconds.reset();
  reports[0].cases[0].published->speed_up = 8;
  EXPECT_EQ(table_of(reports),
            "A  epyc-0a1b (published) · AMD EPYC · apple.json · times are means\n"
            "\n"
            "against the CPU  device             speed-up  95 % interval\n"
            "vgg16/train/b64  A mps (published)     8.00×              –\n");
}

TEST(MachinesTable, MarksTheSpeedsOfSingleLaunches) {
  const std::vector<report::ComparedReport> reports{
      compared_report("a.json", {compared_case("mlp/train/cpu/b1/fp32/eager/synthetic", {0.001, 0.001}),
                                 compared_case("mlp/train/mps/b1/fp32/eager/synthetic", {0.0005, 0.0005}),
                                 compared_case("mlp/train/cpu/b8/fp32/eager/synthetic", {0.004}),
                                 compared_case("mlp/train/mps/b8/fp32/eager/synthetic", {0.001, 0.001})})};
  EXPECT_EQ(table_of(reports),
            "mps is 2.8 times as fast as cpu in the median of 2 shared cases, 2.0 to 4.0.\n"
            "\n"
            "A  epyc-0a1b · AMD EPYC · a.json · times are geometric means\n"
            "\n"
            "case          A cpu       A mps\n"
            "mlp/train/b1  1.00 ms ±?  500 µs ±?  2.00× ±0.0 % *\n"
            "mlp/train/b8  4.00 ms ±?  1.00 ms ±?  4.00× within-launch *\n"
            "\n"
            "against the CPU  device  speed-up  95 % interval\n"
            "mlp/train/b1     A mps      2.00×  2.00× … 2.00×\n"
            "mlp/train/b8     A mps      4.00×  within-launch\n")
      << "at the largest batch nothing is certain, so nothing is said about a crossover";
}

// N reports of machines of one case each, the second one's of 4 threads.
std::vector<report::ComparedReport> many_machines(int n) {
  std::vector<report::ComparedReport> reports;
  for (int i = 0; i < n; ++i) {
    report::ComparedCase one =
        compared_case("mlp/train/cpu/b1/fp32/eager/synthetic", {0.001 * (i + 1), 0.001 * (i + 1)});
    one.spec.threads = i == 1 ? 4 : 2;
    report::ComparedReport& report = reports.emplace_back(compared_report("r" + std::to_string(i) + ".json", {one}));
    report.host.name = "m" + std::to_string(i);
  }
  return reports;
}

TEST(MachinesTable, PutsEachMachineIntoALineWhereColumnsDoNotFit) {
  EXPECT_EQ(table_of(many_machines(3), 60),
            "B (m1) is 2.0 times slower than A (m0) in the one shared case (±0.0 %).\n"
            "\n"
            "A  m0 · AMD EPYC · r0.json · times are geometric means\n"
            "B  m1 · AMD EPYC · r1.json · times are geometric means\n"
            "C  m2 · AMD EPYC · r2.json · times are geometric means\n"
            "\n"
            "mlp/train/b1\n"
            "  A cpu  1.00 ms ±?  2 threads *\n"
            "  B cpu  2.00 ms ±?  0.500× ±0.0 %  4 threads\n"
            "  C cpu  3.00 ms ±?  0.333× ±0.0 %  2 threads\n");
  EXPECT_TRUE(contains(table_of(many_machines(3), 120),
                       "mlp/train/b1  1.00 ms ±?  2 threads *  2.00 ms ±?  0.500× ±0.0 %  4 threads  "))
      << "they fit";
}

TEST(MachinesTable, TellsOfManyMachinesOnlyHowFastTheyAre) {
  const std::string text = table_of(many_machines(30), 80);
  EXPECT_FALSE(contains(text, "AMD EPYC"));
  EXPECT_TRUE(contains(text,
                       "\nagainst A  shared cases  median speed              range  file\n"
                       "A (m0)                –             –                  –  r0.json\n"
                       "B (m1)                1        0.500×    0.500× … 0.500×  r1.json\n"))
      << text;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    EXPECT_LE(text.find('\n', begin) - begin, 90U) << "bytes";
  const auto reports = many_machines(30);
  EXPECT_TRUE(contains(machines_markdown(machine_summary(machine_table(reports))),
                       "| mlp/train/b1 | 30 cpu | 30.0 ms ±?  0.0333× ±0.0 %  2 threads |\n"));
}

TEST(MachinesTable, SaysWhereNothingIsWon) {
  auto reports = two_machines();
  for (auto& launch : reports[0].cases[1].launches) launch.step_seconds = 0.1;
  EXPECT_TRUE(contains(table_of(reports), "no crossover up to batch 1, where it is 100 times slower\n"));
  reports.erase(reports.begin());
  EXPECT_FALSE(contains(table_of(reports), "against the CPU"));
}

// The report of a machine with cases of mlp by their batch sizes and times.
report::ComparedReport machine(const std::string& name, const std::vector<std::pair<int, double>>& cases,
                               const std::string& model = "mlp") {
  std::vector<report::ComparedCase> all;
  for (const auto& [batch, seconds] : cases)
    all.push_back(
        compared_case(model + "/train/cpu/b" + std::to_string(batch) + "/fp32/eager/synthetic", {seconds, seconds}));
  report::ComparedReport report = compared_report(name + ".json", all);
  report.host.name = name;
  return report;
}

Lines words_of(const std::vector<report::ComparedReport>& reports) {
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
  std::vector<report::ComparedReport> reports{machine("a", {{1, 2}}), machine("b", {{1, 1}})};
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
                   "Left out: 1 report that shares no case with b: d. To share one with it: mpsbench run -m lenet5 "
                   "--mode train -b 64",
                   "2 cases that are not shared are left out (csv and json have all)."}));
}

TEST(SummaryWords, CountMachinesWithoutATimeToCompare) {
  std::vector<report::ComparedReport> reports{machine("a", {{1, 2}}), machine("b", {{1, 1}}), machine("c", {{1, 1}})};
  reports[2].cases[0].flags = {"diverged"};
  EXPECT_EQ(words_of(reports), (Lines{"B (b) is 2.0 times as fast as A (a) in the one shared case (±0.0 %).",
                                      "1 report has no time to compare with A (a)."}));
}

TEST(SummaryWords, TellRunsOfOneMachineApart) {
  report::ComparedReport first = machine("a", {{1, 2}});
  report::ComparedReport second = machine("a", {{1, 1}});
  first.started_at = "2026-11-21T09:00:00Z";
  second.started_at = "2026-11-22T09:00:00Z";
  EXPECT_EQ(words_of({first, second}),
            Lines{"B (a, 2026-11-22) is 2.0 times as fast as A (a, 2026-11-21) in the one shared case (±0.0 %)."});
}

}  // namespace
}  // namespace mpsbench::output
