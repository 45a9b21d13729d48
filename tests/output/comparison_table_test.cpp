#include "output/console/comparison_table.hpp"

#include "support/compared.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using report::Ratio;
using report::Verdict;
using schema::GatedMetric;
using tests::compared_case;
using tests::contains;

// A comparison like one from compare(), but with chosen figures.
struct ShownComparison {
  report::ComparedCase before = compared_case("mlp/train/cpu/b64/fp32/eager/synthetic", {0.00162, 0.00162});
  report::ComparedCase after = compared_case("mlp/train/cpu/b64/fp32/eager/synthetic", {0.00178, 0.00178});
  report::Comparison comparison;

  void add(Verdict verdict, std::optional<report::Ratio> ratio, std::optional<std::int64_t> needed = {},
           const std::string& reason = "") {
    report::CaseComparison pair;
    pair.id = "mlp/train/cpu/b" + std::to_string(comparison.cases.size() + 1) + "/fp32/eager/synthetic";
    pair.before = &before;
    pair.after = &after;
    pair.verdict = verdict;
    pair.ratio = ratio;
    pair.launches_needed = needed;
    pair.reason = reason;
    comparison.cases.push_back(pair);
  }
};

TEST(ComparisonSummary, SaysWhyAChangeHasANarrowInterval) {
  const std::string why =
      "The interval of a change may be narrower than those of its times: it is of both sides' "
      "launches together, and leaves out how samples vary inside a launch.\n";
  ShownComparison made;
  made.after.ci95 = schema::Interval{0.0009, 0.0036};
  made.add(Verdict::slower, Ratio{1.099, 1.071, 1.128});
  EXPECT_TRUE(comparison_summary(made.comparison).ends_with(why)) << comparison_summary(made.comparison);
  made.after.ci95 = schema::Interval{0.00176, 0.0018};
  EXPECT_FALSE(contains(comparison_summary(made.comparison), "The interval of a change"));
}

TEST(ComparisonTable, ShowsEachVerdict) {
  ShownComparison made;
  made.before.ci95 = schema::Interval{0.0016, 0.00164};
  made.add(Verdict::slower, Ratio{1.099, 1.071, 1.128});
  made.add(Verdict::same, Ratio{0.998, 0.985, 1.0});
  made.add(Verdict::undecided, Ratio{12.5, 0.0001, 1e6}, 10);
  made.add(Verdict::undecided, std::nullopt, 3);
  made.add(Verdict::undecided, Ratio{1, 1, 1});
  made.add(Verdict::not_compared, std::nullopt, {}, "oom after");
  made.comparison.cases.back().after = nullptr;
  made.comparison.mean = Ratio{1.04, 1.016, 1.065};
  EXPECT_EQ(aligned(comparison_grid(made.comparison), false),
            "case                      before       after   change     95 % interval  verdict\n"
            "mlp/train/cpu/b1  1.62 ms ±1.2 %  1.78 ms ±?   +9.9 %      +7.1 … +12.8  slower\n"
            "mlp/train/cpu/b2  1.62 ms ±1.2 %  1.78 ms ±?   −0.2 %        −1.5 … 0.0  same\n"
            "mlp/train/cpu/b3  1.62 ms ±1.2 %  1.78 ms ±?  +1150 %  <0.001× … >1000×  undecided (about 8 more "
            "launches each)\n"
            "mlp/train/cpu/b4  1.62 ms ±1.2 %  1.78 ms ±?        –                 –  undecided (about 1 more "
            "launch each)\n"
            "mlp/train/cpu/b5  1.62 ms ±1.2 %  1.78 ms ±?    0.0 %         0.0 … 0.0  undecided (needs more "
            "than 1,000 "
            "launches each)\n"
            "mlp/train/cpu/b6  1.62 ms ±1.2 %           –        –                 –  not compared (oom after)\n"
            "geometric mean                                 +4.0 %       +1.6 … +6.5\n");
  EXPECT_TRUE(contains(aligned(comparison_grid(made.comparison), true), "\x1b[31mslower\x1b[0m"));
  EXPECT_TRUE(
      contains(markdown(comparison_grid(made.comparison)), "| mlp/train/cpu/b2 | 1.62 ms ±1.2 % | 1.78 ms ±? |"));
}

TEST(ComparisonTable, MarksTheChangeOfASingleLaunch) {
  ShownComparison made;
  made.add(Verdict::undecided, std::nullopt, 5);
  made.comparison.cases.back().within_launch_ratio = 1.5;
  EXPECT_EQ(aligned(comparison_grid(made.comparison), false),
            "case                  before       after   change  95 % interval  verdict\n"
            "mlp/train/cpu/b1  1.62 ms ±?  1.78 ms ±?  +50.0 %  within-launch  undecided (about 3 more launches "
            "each)\n");
  EXPECT_EQ(verdict_words(made.comparison.cases.back()),
            "undecided (about 3 more launches each): 1.62 ms ±? → 1.78 ms ±?, +50.0 % (within-launch)");
}

TEST(ComparisonSummary, NamesWhatIsSlower) {
  ShownComparison made;
  made.add(Verdict::same, std::nullopt);
  EXPECT_EQ(comparison_summary(made.comparison), "No case of 1 is slower by more than 2 %.\n");
  made.add(Verdict::slower, std::nullopt);
  made.add(Verdict::faster, std::nullopt);
  EXPECT_EQ(comparison_summary(made.comparison),
            "1 case of 3 is slower by more than 2 %: mlp/train/cpu/b2.\n"
            "1 case of 3 is faster by more than 2 %: mlp/train/cpu/b3.\n");
  for (int i = 0; i < 5; ++i) made.add(Verdict::slower, std::nullopt);
  for (report::CaseComparison& pair : made.comparison.cases) pair.threshold = 0.005;
  EXPECT_TRUE(contains(comparison_summary(made.comparison),
                       "6 cases of 8 are slower by more than 0.5 %: mlp/train/cpu/b2, mlp/train/cpu/b4, "));
  EXPECT_TRUE(contains(comparison_summary(made.comparison), " and 1 more.\n"));
}

TEST(ComparisonSummary, SaysLargeFactorsInWords) {
  ShownComparison made;
  made.add(Verdict::slower, Ratio{2.4, 2.3, 2.5});
  made.add(Verdict::slower, Ratio{1.9, 1.8, 2.0});
  made.add(Verdict::faster, Ratio{0.25, 0.2, 0.3});
  EXPECT_EQ(comparison_summary(made.comparison),
            "2 cases of 3 are slower by more than 2 %: mlp/train/cpu/b1 (2.4 times slower), mlp/train/cpu/b2.\n"
            "1 case of 3 is faster by more than 2 %: mlp/train/cpu/b3 (4.0 times as fast).\n");
}

TEST(ComparisonSummary, SaysHowEachUndecidedCaseStandsAndWhatToDo) {
  ShownComparison made;
  made.add(Verdict::undecided, Ratio{1.104, 1.02, 1.194}, 10);
  made.add(Verdict::not_compared, std::nullopt, {}, "only before");
  made.add(Verdict::undecided, std::nullopt, 5);
  made.add(Verdict::same, Ratio{1, 1, 1});
  made.comparison.cases[0].threshold = 0.021;
  made.comparison.cases[2].machine_spread = 0.05;
  made.comparison.cases[2].is_machine_noise = true;
  EXPECT_EQ(comparison_summary(made.comparison),
            "No case of 4 is slower by more than their thresholds.\n"
            "1 case is not compared: mlp/train/cpu/b2 (only before).\n"
            "2 cases are undecided:\n"
            "- mlp/train/cpu/b1: +10.4 %, +2.0 … +19.4: slower, perhaps by less than 2.1 %; run both again "
            "with --repeats 10\n"
            "- mlp/train/cpu/b3: the machine's own spread is 5.0 %: calibrate again when it is quiet, or "
            "measure on a quieter machine\n");
}

// A comparison of two cases by several metrics.
ShownComparison by_metrics() {
  ShownComparison made;
  tests::set_values(made.before, GatedMetric::peak_memory, {1 << 30, 1 << 30});
  tests::set_values(made.after, GatedMetric::peak_memory, {3 << 29, 3 << 29});
  made.add(Verdict::same, Ratio{1, 1, 1});
  made.add(Verdict::slower, Ratio{2.5, 2.5, 2.5});
  made.add(Verdict::undecided, Ratio{1.01, 0.9, 1.1}, 10);
  made.add(Verdict::not_compared, std::nullopt, {}, "no latency-p99 after: why");
  made.comparison.cases[1].id = made.comparison.cases[0].id;
  made.comparison.cases[1].metric = GatedMetric::peak_memory;
  made.comparison.cases[1].threshold = 0.01;
  made.comparison.cases[2].metric = GatedMetric::peak_memory;
  made.comparison.cases[2].threshold = 0.01;
  made.comparison.cases[3].metric = GatedMetric::latency_p99;
  return made;
}

TEST(ComparisonTable, HasAColumnWithTheMetricIfThereAreOthers) {
  ShownComparison made = by_metrics();
  made.comparison.mean = Ratio{1.04, 1.016, 1.065};
  EXPECT_EQ(aligned(comparison_grid(made.comparison), false),
            "case              metric           before       after  change  95 % interval  verdict\n"
            "mlp/train/cpu/b1  step         1.62 ms ±?  1.78 ms ±?   0.0 %      0.0 … 0.0  same\n"
            "mlp/train/cpu/b1  peak-memory     1.0 GiB     1.5 GiB  +150 %    +150 … +150  larger\n"
            "mlp/train/cpu/b3  peak-memory     1.0 GiB     1.5 GiB  +1.0 %  −10.0 … +10.0  undecided (about 8 "
            "more launches each)\n"
            "mlp/train/cpu/b4  latency-p99           –           –       –              –  not compared (no "
            "latency-p99 after: why)\n"
            "geometric mean    step                                 +4.0 %    +1.6 … +6.5\n");
}

TEST(ComparisonSummary, SpeaksOfEachMetric) {
  EXPECT_EQ(comparison_summary(by_metrics().comparison),
            "No case of 1 is slower by more than 2 %.\n"
            "The p99 latency of no case of 1 could be judged.\n"
            "The peak memory of 1 case of 2 is larger by more than 1 %: mlp/train/cpu/b1 (2.5 times as much).\n"
            "1 comparison could not be made: mlp/train/cpu/b4 (no latency-p99 after: why).\n"
            "1 comparison is undecided:\n"
            "- the peak memory of mlp/train/cpu/b3: +1.0 %, −10.0 … +10.0: could be larger or smaller by more than "
            "1 %; run both again with --repeats 10\n");
}

const report::ComparedCase kThreeLaunches = compared_case("x/train/cpu/b1", {1, 1, 1});

report::CaseComparison undecided(std::optional<Ratio> ratio, std::optional<std::int64_t> needed = {}) {
  report::CaseComparison pair;
  pair.before = &kThreeLaunches;
  pair.after = &kThreeLaunches;
  pair.verdict = Verdict::undecided;
  pair.ratio = ratio;
  pair.launches_needed = needed;
  return pair;
}

TEST(Standing, IsOneOfAFewWordings) {
  const auto stands = [](double low, double high) { return standing(undecided(Ratio{(low + high) / 2, low, high})); };
  EXPECT_EQ(stands(0.9, 1.1), "could be slower or faster by more than 2 %");
  EXPECT_EQ(stands(0.99, 1.1), "perhaps slower, perhaps the same");
  EXPECT_EQ(stands(1.0, 1.1), "perhaps slower, perhaps the same");
  EXPECT_EQ(stands(1.01, 1.19), "slower, perhaps by less than 2 %");
  EXPECT_EQ(stands(1.03, 1.19), "probably slower by more than 2 %");
  EXPECT_EQ(stands(0.9, 1.01), "perhaps faster, perhaps the same");
  EXPECT_EQ(stands(0.9, 0.99), "faster, perhaps by less than 2 %");
  EXPECT_EQ(stands(0.9, 0.98), "probably faster by more than 2 %");
}

TEST(Standing, SuitsTheMetricAndNeedsAnUndecidedVerdict) {
  report::CaseComparison pair = undecided(Ratio{1.05, 1.02, 1.1});
  pair.threshold = 0.005;
  pair.metric = GatedMetric::peak_memory;
  EXPECT_EQ(standing(pair), "probably larger by more than 0.5 %");
  pair.metric = GatedMetric::energy;
  EXPECT_EQ(standing(pair), "probably higher by more than 0.5 %");
  pair.ratio = Ratio{0.95, 0.9, 0.999};
  EXPECT_EQ(standing(pair), "lower, perhaps by less than 0.5 %");
  pair = undecided(Ratio{1.05, 1.04, 1.06});
  pair.is_machine_noise = true;
  EXPECT_EQ(standing(pair), "slower, but equal runs differ as much");
  pair.verdict = Verdict::slower;
  EXPECT_EQ(standing(pair), "");
  EXPECT_EQ(standing(undecided(std::nullopt)), "");
}

TEST(Advice, IsOfTheCase) {
  EXPECT_EQ(advice(undecided(std::nullopt, 11)), "run both again with --repeats 11");
  report::CaseComparison pair = undecided(std::nullopt, 11);
  pair.takes_turns = true;
  EXPECT_EQ(advice(pair), "run again with -r 11 or a larger --budget");
  EXPECT_EQ(advice(undecided(std::nullopt)),
            "needs more than 1,000 launches each: raise --threshold, or measure on a quieter machine (see "
            "mpsbench doctor)");
  pair.is_machine_noise = true;
  pair.machine_spread = 0.031;
  EXPECT_EQ(advice(pair),
            "the machine's own spread is 3.1 %: calibrate again when it is quiet, or measure on a quieter "
            "machine");
}

TEST(VerdictText, CountsTheLaunchesThatHaveTheMetric) {
  report::ComparedCase two = kThreeLaunches;
  tests::set_values(two, GatedMetric::energy, {1, 1});
  report::CaseComparison pair = undecided(std::nullopt, 11);
  pair.metric = GatedMetric::energy;
  pair.before = &two;
  pair.after = &two;
  EXPECT_EQ(verdict_text(pair), "undecided (about 9 more launches each)");
}

TEST(VerdictWord, SuitsTheMetric) {
  const std::tuple<GatedMetric, Verdict, const char*> rows[] = {
      {GatedMetric::step, Verdict::slower, "slower"},        {GatedMetric::latency_p99, Verdict::faster, "faster"},
      {GatedMetric::peak_memory, Verdict::slower, "larger"}, {GatedMetric::peak_memory, Verdict::faster, "smaller"},
      {GatedMetric::first_token, Verdict::slower, "slower"}, {GatedMetric::energy, Verdict::slower, "higher"},
      {GatedMetric::energy, Verdict::faster, "lower"},       {GatedMetric::energy, Verdict::same, "same"}};
  for (const auto& [metric, verdict, word] : rows) EXPECT_EQ(verdict_word(metric, verdict), word);
}

TEST(ValueText, HasTheMetricsUnitAndTheTimesInterval) {
  report::ComparedCase result = compared_case("x/infer/cpu/b1", {0.002});
  EXPECT_EQ(value_text(&result, GatedMetric::step), "2.00 ms ±?");
  EXPECT_EQ(value_text(&result, GatedMetric::energy), "–");
  EXPECT_EQ(value_text(nullptr, GatedMetric::step), "–");
  result.launches[0].others = {{GatedMetric::latency_p99, 0.003},
                               {GatedMetric::first_token, 0.25},
                               {GatedMetric::peak_memory, 3 << 20},
                               {GatedMetric::energy, 0.0125}};
  EXPECT_EQ(value_text(&result, GatedMetric::first_token), "250 ms");
  EXPECT_EQ(value_text(&result, GatedMetric::latency_p99), "3.00 ms");
  EXPECT_EQ(value_text(&result, GatedMetric::peak_memory), "3.0 MiB");
  EXPECT_EQ(value_text(&result, GatedMetric::energy), "0.0125 J");
  result = compared_case("x/infer/cpu/b1", {0.91, 1.2, 2.72});
  result.ci95 = schema::Interval{0.1, 9};
  EXPECT_EQ(value_text(&result, GatedMetric::step), "910 ms −89 % +889 %");
}

TEST(FormatChanges, ShowsWideIntervalsAsFactors) {
  EXPECT_EQ(format_change(0.9), "−10.0 %");
  EXPECT_EQ(format_change(0.99999), "0.0 %");
  EXPECT_EQ(format_change(3), "+200 %");
  EXPECT_EQ(format_changes({1.1, 1.071, 1.128}), "+7.1 … +12.8");
  EXPECT_EQ(format_changes({1, 0.6, 1.6}), "−40.0 … +60.0");
  EXPECT_EQ(format_changes({0.08, 0.036, 0.164}), "−96.4 … −83.6");
  EXPECT_EQ(format_changes({1, 0.5, 2.1}), "0.500× … 2.10×");
  EXPECT_EQ(format_changes({1, 0.00004, 25'000}), "<0.001× … >1000×");
}

}  // namespace
}  // namespace mpsbench::output
