#include "report/compare/compare.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;

const std::vector<double> kSteady{1, 1.001, 0.999, 1.002, 0.998};

std::vector<double> times(double factor) {
  std::vector<double> values = kSteady;
  for (double& value : values) value *= factor;
  return values;
}

TEST(Compare, PairsCasesById) {
  ComparedReport before =
      compared_report("a", {compared_case("x/train/cpu/b1", kSteady), compared_case("y/train/cpu/b1", kSteady)});
  ComparedReport after =
      compared_report("b", {compared_case("z/train/cpu/b1", kSteady), compared_case("y/train/cpu/b1", times(1.1))});
  const Comparison comparison = compare(before, after, {});
  ASSERT_EQ(comparison.cases.size(), 3U);
  EXPECT_EQ(comparison.cases[0].reason, "only before");
  EXPECT_EQ(comparison.cases[1].verdict, Verdict::slower);
  EXPECT_NEAR(comparison.cases[1].ratio->value, 1.1, 1e-12);
  EXPECT_EQ(comparison.cases[2].id, "z/train/cpu/b1");
  EXPECT_EQ(comparison.cases[2].reason, "only after");
  EXPECT_EQ(comparison.count(Verdict::not_compared), 2);
  EXPECT_FALSE(comparison.mean) << "a single case has no mean";
}

TEST(Compare, SortsBatchSizesAsNumbers) {
  const ComparedReport before = compared_report(
      "a", {compared_case("x/train/cpu/b16/fp32", kSteady), compared_case("y/train/cpu/b2/fp32", kSteady),
            compared_case("x/train/cpu/b128/fp32", kSteady)});
  const ComparedReport after = compared_report("b", {compared_case("x/train/cpu/b8/fp32", kSteady)});
  std::vector<std::string> ids;
  for (const CaseComparison& pair : compare(before, after, {}).cases) ids.push_back(pair.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"x/train/cpu/b8/fp32", "x/train/cpu/b16/fp32", "x/train/cpu/b128/fp32",
                                           "y/train/cpu/b2/fp32"}));
}

TEST(Compare, SwappedReportsMirror) {
  const ComparedReport a = compared_report("a", {compared_case("x/train/cpu/b1", kSteady)});
  const ComparedReport b = compared_report("b", {compared_case("x/train/cpu/b1", times(1.0201))});
  EXPECT_EQ(compare(a, b, {}).cases[0].verdict, Verdict::slower);
  EXPECT_EQ(compare(b, a, {}).cases[0].verdict, Verdict::faster);
}

TEST(Compare, SaysWhyACaseIsLeftOut) {
  ComparedReport before = compared_report("a", {compared_case("x/train/cpu/b1", {})});
  before.cases[0].status = schema::Status::oom;
  ComparedReport after = compared_report("b", {compared_case("x/train/cpu/b1", kSteady)});
  after.cases[0].flags = {"noisy", "diverged"};
  EXPECT_EQ(compare(before, after, {}).cases[0].reason, "oom before, diverged after");
  EXPECT_EQ(compare(after, before, {}).cases[0].reason, "diverged before, oom after");
}

TEST(Compare, DoesNotJudgeABuildWhoseLaunchesAllCrash) {
  const ComparedReport before = compared_report("a", {compared_case("x/train/cpu/b1", kSteady)});
  ComparedReport after = before;
  after.cases[0].status = schema::Status::crashed;
  after.cases[0].launches[0].is_ok = false;
  EXPECT_EQ(compare(before, after, {}).cases[0].reason, "") << "other launches ended well";
  for (ComparedLaunch& launch : after.cases[0].launches) launch.is_ok = false;
  EXPECT_EQ(compare(before, after, {}).cases[0].reason, "crashed after");
  after.cases[0].status = schema::Status::interrupted;
  EXPECT_EQ(compare(before, after, {}).cases[0].reason, "");
}

TEST(Compare, DoesNotJudgeWorkThatWentWrong) {
  const ComparedReport before = compared_report("a", {compared_case("x/train/cpu/b1", kSteady)});
  ComparedReport after = compared_report("b", {compared_case("x/train/cpu/b1", times(0.5))});
  for (const char* flag : {"not-learning", "leaking"}) {
    after.cases[0].flags = {flag};
    EXPECT_EQ(compare(before, after, {}).cases[0].verdict, Verdict::not_compared);
    EXPECT_EQ(compare(before, after, {}).cases[0].reason, std::string(flag) + " after");
  }
  after.cases[0].flags = {"drifting"};
  EXPECT_EQ(compare(before, after, {}).cases[0].verdict, Verdict::faster);
}

TEST(Compare, OfASingleLaunchHasOnlyARatio) {
  const ComparedReport before =
      compared_report("a", {compared_case("x/train/cpu/b1", {1}), compared_case("y/train/cpu/b1", kSteady),
                            compared_case("z/train/cpu/b1", {1})});
  const ComparedReport after =
      compared_report("b", {compared_case("x/train/cpu/b1", times(4)), compared_case("y/train/cpu/b1", times(1)),
                            compared_case("z/train/cpu/b1", {0.25})});
  for (const bool takes_turns : {false, true}) {
    const Comparison comparison = compare(before, after, {std::nullopt, 0.01, takes_turns});
    EXPECT_EQ(comparison.cases[0].within_launch_ratio, 4);
    EXPECT_EQ(comparison.cases[2].within_launch_ratio, 0.25);
    EXPECT_FALSE(comparison.cases[1].within_launch_ratio) << "the launches tell more";
    for (const std::size_t at : {std::size_t{0}, std::size_t{2}}) {
      EXPECT_EQ(comparison.cases[at].verdict, Verdict::undecided);
      EXPECT_FALSE(comparison.cases[at].ratio || comparison.cases[at].adjusted_p);
    }
    EXPECT_FALSE(comparison.mean) << "only one case has launches to compare";
  }
}

TEST(Compare, CorrectsForAllCasesThatAreTested) {
  const std::vector<double> slower{1.02, 1.04, 1.03};
  const auto report = [&](std::size_t cases, const std::vector<double>& first) {
    ComparedReport made = compared_report("a", {compared_case("x/train/cpu/b1", first)});
    for (std::size_t i = 1; i < cases; ++i)
      made.cases.push_back(compared_case("x/train/cpu/b" + std::to_string(i + 1), {1, 1.01, 0.99}));
    made.cases.push_back(compared_case("x/train/cpu/b99", {1}));
    return made;
  };
  const double alone = *compare(report(1, {1, 1.01, 0.99}), report(1, slower), {}).cases[0].adjusted_p;
  const Comparison many = compare(report(4, {1, 1.01, 0.99}), report(4, slower), {});
  EXPECT_NEAR(*many.cases[0].adjusted_p, 4 * alone, 1e-12);
  EXPECT_FALSE(many.cases.back().adjusted_p);
}

// So many cases that several threads decide them.
TEST(Compare, DecidesEachOfManyCases) {
  constexpr std::size_t kCases = 1000;
  const auto report = [](const std::string& file, const std::vector<double>& medians) {
    ComparedReport made = compared_report(file, {});
    for (std::size_t i = 1; i <= kCases; ++i)
      made.cases.push_back(compared_case("x/train/cpu/b" + std::to_string(i), medians));
    return made;
  };
  const Comparison many = compare(report("a", {1, 1.01, 0.99}), report("b", {1.02, 1.06, 1.04}), {});
  ASSERT_EQ(many.cases.size(), kCases);
  EXPECT_EQ(many.count(Verdict::undecided), static_cast<std::int64_t>(kCases));
  for (const CaseComparison& one : many.cases) {
    ASSERT_TRUE(one.launches_needed) << one.id;
    EXPECT_EQ(one.launches_needed, many.cases[0].launches_needed) << one.id;
  }
}

TEST(Compare, TakesTheRulesThresholdElseTheNewerRunsElseTheCommonOne) {
  ComparedReport before = tests::compared_report("a", {tests::compared_case("x/train/cpu/b1", {1, 1})});
  ComparedReport after = tests::compared_report("b", {tests::compared_case("x/train/cpu/b1", {1.1, 1.1})});
  EXPECT_EQ(compare(before, after, {}).cases[0].threshold, kThreshold);
  before.cases[0].threshold = 0.5;
  after.cases[0].threshold = 0.2;
  EXPECT_EQ(compare(before, after, {}).cases[0].threshold, 0.2);
  EXPECT_EQ(compare(before, after, {}).cases[0].verdict, Verdict::same);
  EXPECT_EQ(compare(before, after, {0.05}).cases[0].threshold, 0.05);
  EXPECT_EQ(compare(before, after, {0.05}).cases[0].verdict, Verdict::slower);
}

using schema::GatedMetric;

// Returns a report with one case of five launches, and factors of its memory, energy and time.
ComparedReport measured(double memory, double energy, double time = 1) {
  ComparedReport report =
      compared_report(std::to_string(memory + energy + time), {compared_case("x/infer/cpu/b1", times(time))});
  ComparedCase& result = report.cases[0];
  result.spec.mode = schema::Mode::infer;
  tests::set_values(result, GatedMetric::peak_memory, std::vector<double>(5, 1e9 * memory));
  tests::count_memory(result);
  tests::set_values(result, GatedMetric::energy, times(energy));
  result.why_missing[GatedMetric::latency_p99] = "a launch has 10 of 662 samples";
  return report;
}

TEST(Compare, JudgesEachMetricByItsOwnThreshold) {
  const ComparedReport before = measured(1, 1);
  ComparedReport after = measured(1.03, 0.9);
  EXPECT_EQ(compare(before, after, {}).cases.size(), 1U) << "only the time";
  after.cases[0].gate_on = {{GatedMetric::peak_memory, std::nullopt}, {GatedMetric::energy, 0.2}};
  const Comparison asked = compare(before, after, {});
  ASSERT_EQ(asked.cases.size(), 2U);
  EXPECT_EQ(asked.cases[0].metric, GatedMetric::peak_memory);
  EXPECT_EQ(asked.cases[0].verdict, Verdict::slower);
  EXPECT_NEAR(asked.cases[0].ratio->value, 1.03, 1e-12);
  EXPECT_EQ(asked.cases[1].metric, GatedMetric::energy);
  EXPECT_EQ(asked.cases[1].threshold, 0.2);
  EXPECT_EQ(asked.cases[1].verdict, Verdict::same);
  EXPECT_FALSE(asked.mean) << "of times only";
  CompareRules rules{0.05};
  rules.gate_on = {{GatedMetric::step, std::nullopt}, {GatedMetric::energy, 0.01}};
  const Comparison ruled = compare(before, after, rules);
  ASSERT_EQ(ruled.cases.size(), 2U);
  EXPECT_EQ(ruled.cases[0].threshold, 0.05);
  EXPECT_EQ(ruled.cases[1].threshold, 0.01);
  EXPECT_EQ(ruled.cases[1].verdict, Verdict::faster);
  EXPECT_TRUE(ruled.has_other_metrics());
}

TEST(Compare, CorrectsForAllMetricsOfAllCases) {
  const ComparedReport before = measured(1, 1);
  const ComparedReport after = measured(1, 1.003, 1.002);
  CompareRules rules;
  const double alone = *compare(before, after, rules).cases[0].adjusted_p;
  rules.gate_on = {{GatedMetric::step, {}}, {GatedMetric::energy, {}}, {GatedMetric::peak_memory, {}}};
  const Comparison all = compare(before, after, rules);
  EXPECT_NEAR(*all.cases[0].adjusted_p, 2 * alone, 1e-12) << "the second smallest of three";
}

TEST(Compare, SaysWhyAMetricIsMissing) {
  const ComparedReport before = measured(1, 1);
  ComparedReport after = measured(1, 1);
  CompareRules rules;
  rules.gate_on = {{GatedMetric::step, {}}, {GatedMetric::latency_p99, {}}};
  const Comparison comparison = compare(before, after, rules);
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::same);
  EXPECT_EQ(comparison.cases[1].verdict, Verdict::not_compared);
  EXPECT_EQ(comparison.cases[1].reason, "no latency-p99 before: a launch has 10 of 662 samples");
  after.cases[0].flags = {"diverged"};
  ASSERT_EQ(compare(before, after, rules).cases.size(), 1U) << "nothing of the case can be compared";
  EXPECT_EQ(compare(before, after, rules).cases[0].reason, "diverged after");
}

// The launches without a percentile are the slow ones.
TEST(Compare, NeedsAMetricOfAllLaunches) {
  const ComparedReport whole = measured(1, 1);
  ComparedReport partial = measured(1, 1);
  partial.cases[0].launches[3].others.erase(GatedMetric::energy);
  partial.cases[0].why_missing[GatedMetric::energy] = "a launch is too short";
  CompareRules rules;
  rules.gate_on = {{GatedMetric::energy, {}}};
  EXPECT_EQ(compare(whole, partial, rules).cases[0].reason, "no energy after: a launch is too short");
  EXPECT_EQ(compare(partial, whole, rules).cases[0].reason, "no energy before: a launch is too short");
}

TEST(Compare, LeavesOutTheLatencyOfTrainingUnlessItIsAlone) {
  const ComparedReport before = measured(1, 1);
  ComparedReport after = measured(1, 1);
  after.cases[0].spec.mode = schema::Mode::train;
  CompareRules rules;
  rules.gate_on = {{GatedMetric::latency_p99, {}}, {GatedMetric::step, {}}};
  ASSERT_EQ(compare(before, after, rules).cases.size(), 1U);
  EXPECT_EQ(compare(before, after, rules).cases[0].metric, GatedMetric::step);
  rules.gate_on = {{GatedMetric::latency_p99, {}}};
  EXPECT_EQ(compare(before, after, rules).cases[0].verdict, Verdict::not_compared);
}

TEST(Compare, CalibrationIsOfTimes) {
  CompareRules rules;
  rules.gate_on = {{GatedMetric::step, {}}, {GatedMetric::energy, {}}};
  const Comparison comparison = compare(measured(1, 1), measured(1, 1.05, 1.05), rules,
                                        [](const ComparedCase&, const ComparedCase&) { return 0.1; });
  EXPECT_TRUE(comparison.cases[0].is_machine_noise);
  EXPECT_EQ(comparison.cases[1].verdict, Verdict::slower);
  EXPECT_FALSE(comparison.cases[1].machine_spread);
}

}  // namespace
}  // namespace mpsbench::report
