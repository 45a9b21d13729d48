#include "report/compare/compare.hpp"

#include "support/compared.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace mpsbench::report {
namespace {

using schema::GatedMetric;
using schema::Status;
using tests::compared_case;
using tests::compared_report;
using tests::with;
using Texts = std::vector<std::string>;

const std::vector<double> kSteady{1, 1.001, 0.999, 1.002, 0.998};

std::vector<double> times(double factor) {
  std::vector<double> values = kSteady;
  for (double& value : values) value *= factor;
  return values;
}

ComparedReport steady(double factor = 1) {
  return compared_report("a", {compared_case("x/train/cpu/b1", times(factor))});
}

// Returns "METRIC VERDICT" of each entry, with the reason if it is not compared.
Texts verdicts(const ComparedReport& before, const ComparedReport& after, const CompareRules& rules = {}) {
  Texts texts;
  for (const CaseComparison& one : compare(before, after, rules).cases)
    texts.push_back(to_string(one.metric) + " " + to_string(one.verdict) +
                    (one.reason.empty() ? "" : ": " + one.reason));
  return texts;
}

CompareRules judging(std::vector<schema::GateOn> gates) {
  return with(CompareRules(), [&](CompareRules& rules) { rules.gate_on = std::move(gates); });
}

TEST(Compare, PairsCasesById) {
  const ComparedReport before =
      compared_report("a", {compared_case("x/train/cpu/b1", kSteady), compared_case("y/train/cpu/b1", kSteady)});
  const ComparedReport after =
      compared_report("b", {compared_case("z/train/cpu/b1", kSteady), compared_case("y/train/cpu/b1", times(1.1))});
  EXPECT_EQ(verdicts(before, after),
            (Texts{"step not compared: only before", "step slower", "step not compared: only after"}));
  const Comparison comparison = compare(before, after, {});
  EXPECT_NEAR(comparison.cases[1].ratio->value, 1.1, 1e-12);
  EXPECT_EQ(comparison.cases[2].id, "z/train/cpu/b1");
  EXPECT_EQ(comparison.count(Verdict::not_compared), 2);
  EXPECT_FALSE(comparison.mean) << "a single case has no mean";
}

TEST(Compare, SortsBatchSizesAsNumbers) {
  const ComparedReport before = compared_report(
      "a", {compared_case("x/train/cpu/b16/fp32", kSteady), compared_case("y/train/cpu/b2/fp32", kSteady),
            compared_case("x/train/cpu/b128/fp32", kSteady)});
  const ComparedReport after = compared_report("b", {compared_case("x/train/cpu/b8/fp32", kSteady)});
  Texts ids;
  for (const CaseComparison& pair : compare(before, after, {}).cases) ids.push_back(pair.id);
  EXPECT_EQ(ids,
            (Texts{"x/train/cpu/b8/fp32", "x/train/cpu/b16/fp32", "x/train/cpu/b128/fp32", "y/train/cpu/b2/fp32"}));
}

TEST(Compare, JudgesOnlyWorkThatWentWell) {
  const auto ended = [](Status status, std::size_t bad_launches) {
    return with(steady(), [&](ComparedReport& report) {
      report.cases[0].status = status;
      for (std::size_t i = 0; i < bad_launches; ++i) report.cases[0].launches[i].is_ok = false;
    });
  };
  const auto flagged = [](Texts flags, double factor = 0.5) {
    return with(steady(factor), [&](ComparedReport& report) { report.cases[0].flags = std::move(flags); });
  };
  const ComparedReport none = with(ended(Status::oom, 0), [](ComparedReport& one) { one.cases[0].launches.clear(); });
  const struct {
    ComparedReport before, after;
    const char* verdict;
  } rows[] = {
      {steady(), steady(1.0201), "step slower"},
      {steady(1.0201), steady(), "step faster"},
      {none, flagged({"noisy", "diverged"}), "step not compared: oom before, diverged after"},
      {flagged({"noisy", "diverged"}), none, "step not compared: diverged before, oom after"},
      {steady(), ended(Status::crashed, 1), "step same"},  // other launches ended well
      {steady(), ended(Status::crashed, 5), "step not compared: crashed after"},
      {steady(), ended(Status::interrupted, 5), "step same"},
      {steady(), flagged({"not-learning"}), "step not compared: not-learning after"},
      {steady(), flagged({"leaking"}), "step not compared: leaking after"},
      {steady(), flagged({"drifting"}), "step faster"},
  };
  for (const auto& row : rows) EXPECT_EQ(verdicts(row.before, row.after), Texts{row.verdict});
}

TEST(Compare, OfASingleLaunchHasOnlyARatio) {
  const auto of = [](double x, double y, double z) {
    return compared_report("a", {compared_case("x/train/cpu/b1", {x}), compared_case("y/train/cpu/b1", times(y)),
                                 compared_case("z/train/cpu/b1", {z})});
  };
  const ComparedReport before = of(1, 1, 1);
  ComparedReport after = of(4, 1, 0.25);
  after.cases[0] = compared_case("x/train/cpu/b1", times(4));
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

// A report of CASES cases with these times.
ComparedReport of_cases(std::size_t cases, const std::vector<double>& medians) {
  ComparedReport made = compared_report("a", {});
  for (std::size_t i = 1; i <= cases; ++i)
    made.cases.push_back(compared_case("x/train/cpu/b" + std::to_string(i), medians));
  return made;
}

TEST(Compare, CorrectsForAllCasesThatAreTested) {
  const auto report = [&](std::size_t cases, const std::vector<double>& first) {
    ComparedReport made = of_cases(cases, {1, 1.01, 0.99});
    made.cases[0] = compared_case("x/train/cpu/b1", first);
    made.cases.push_back(compared_case("x/train/cpu/b99", {1}));
    return made;
  };
  const std::vector<double> slower{1.02, 1.04, 1.03};
  const double alone = *compare(report(1, {1, 1.01, 0.99}), report(1, slower), {}).cases[0].adjusted_p;
  const Comparison many = compare(report(4, {1, 1.01, 0.99}), report(4, slower), {});
  EXPECT_NEAR(*many.cases[0].adjusted_p, 4 * alone, 1e-12);
  EXPECT_FALSE(many.cases.back().adjusted_p);
}

// So many cases that several threads decide them.
TEST(Compare, DecidesEachOfManyCases) {
  constexpr std::size_t kCases = 1000;
  const ComparedReport before = of_cases(kCases, {1, 1.01, 0.99});
  const ComparedReport after = of_cases(kCases, {1.02, 1.06, 1.04});
  const Comparison many = compare(before, after, {});
  ASSERT_EQ(many.cases.size(), kCases);
  EXPECT_EQ(many.count(Verdict::undecided), static_cast<std::int64_t>(kCases));
  for (const CaseComparison& one : many.cases) {
    ASSERT_TRUE(one.launches_needed) << one.id;
    EXPECT_EQ(one.launches_needed, many.cases[0].launches_needed) << one.id;
  }
}

TEST(Compare, TakesTheRulesThresholdElseTheNewerRunsElseTheCommonOne) {
  ComparedReport before = of_cases(1, {1, 1});
  ComparedReport after = of_cases(1, {1.1, 1.1});
  EXPECT_EQ(compare(before, after, {}).cases[0].threshold, kThreshold);
  before.cases[0].threshold = 0.5;
  after.cases[0].threshold = 0.2;
  EXPECT_EQ(compare(before, after, {}).cases[0].threshold, 0.2);
  EXPECT_EQ(verdicts(before, after), Texts{"step same"});
  EXPECT_EQ(compare(before, after, {0.05}).cases[0].threshold, 0.05);
  EXPECT_EQ(verdicts(before, after, {0.05}), Texts{"step slower"});
}

// Returns a report with one case of five launches, and factors of its memory, energy and time.
ComparedReport measured(double memory, double energy, double time = 1) {
  ComparedReport report = compared_report("m", {compared_case("x/infer/cpu/b1", times(time))});
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
  EXPECT_EQ(verdicts(before, after), Texts{"step same"});
  after.cases[0].gate_on = {{GatedMetric::peak_memory, std::nullopt}, {GatedMetric::energy, 0.2}};
  EXPECT_EQ(verdicts(before, after), (Texts{"peak-memory slower", "energy same"}));
  const Comparison asked = compare(before, after, {});
  EXPECT_NEAR(asked.cases[0].ratio->value, 1.03, 1e-12);
  EXPECT_EQ(asked.cases[1].threshold, 0.2);
  EXPECT_FALSE(asked.mean) << "of times only";
  CompareRules rules = judging({{GatedMetric::step, std::nullopt}, {GatedMetric::energy, 0.01}});
  rules.threshold = 0.05;
  EXPECT_EQ(verdicts(before, after, rules), (Texts{"step same", "energy faster"}));
  const Comparison ruled = compare(before, after, rules);
  EXPECT_EQ(ruled.cases[0].threshold, 0.05);
  EXPECT_EQ(ruled.cases[1].threshold, 0.01);
  EXPECT_TRUE(ruled.has_other_metrics());
}

TEST(Compare, CorrectsForAllMetricsOfAllCases) {
  const ComparedReport before = measured(1, 1);
  const ComparedReport after = measured(1, 1.003, 1.002);
  const double alone = *compare(before, after, {}).cases[0].adjusted_p;
  const CompareRules rules =
      judging({{GatedMetric::step, {}}, {GatedMetric::energy, {}}, {GatedMetric::peak_memory, {}}});
  EXPECT_NEAR(*compare(before, after, rules).cases[0].adjusted_p, 2 * alone, 1e-12) << "the second smallest of three";
}

TEST(Compare, SaysWhyAMetricIsMissing) {
  const schema::GateOn step{GatedMetric::step, {}};
  const schema::GateOn latency{GatedMetric::latency_p99, {}};
  const schema::GateOn energy{GatedMetric::energy, {}};
  const ComparedReport whole = measured(1, 1);
  const auto changed = [&](const std::function<void(ComparedCase&)>& change) {
    return with(whole, [&](ComparedReport& report) { change(report.cases[0]); });
  };
  const ComparedReport diverged = changed([](ComparedCase& one) { one.flags = {"diverged"}; });
  const ComparedReport training = changed([](ComparedCase& one) { one.spec.mode = schema::Mode::train; });
  // The launches without a percentile are the slow ones.
  const ComparedReport partial = changed([](ComparedCase& one) {
    one.launches[3].others.erase(GatedMetric::energy);
    one.why_missing[GatedMetric::energy] = "a launch is too short";
  });
  const std::string no_latency = "latency-p99 not compared: no latency-p99 before: a launch has 10 of 662 samples";
  EXPECT_EQ(verdicts(whole, whole, judging({step, latency})), (Texts{"step same", no_latency}));
  EXPECT_EQ(verdicts(whole, diverged, judging({step, latency})), Texts{"step not compared: diverged after"});
  EXPECT_EQ(verdicts(whole, partial, judging({energy})),
            Texts{"energy not compared: no energy after: a launch is too short"});
  EXPECT_EQ(verdicts(partial, whole, judging({energy})),
            Texts{"energy not compared: no energy before: a launch is too short"});
  EXPECT_EQ(verdicts(whole, training, judging({latency, step})), Texts{"step same"}) << "training has no latency";
  EXPECT_EQ(verdicts(whole, training, judging({latency})), Texts{no_latency});
  const schema::GateOn first{GatedMetric::first_token, {}};
  EXPECT_EQ(verdicts(whole, whole, judging({first, step})), Texts{"step same"}) << "only generation has a first token";
  EXPECT_EQ(verdicts(whole, training, judging({latency, first})),
            (Texts{no_latency, "first-token not compared: no first-token before"}))
      << "no case vanishes";
}

TEST(Compare, CalibrationIsOfTimes) {
  const ComparedReport before = measured(1, 1);
  const ComparedReport after = measured(1, 1.05, 1.05);
  const Comparison comparison = compare(before, after, judging({{GatedMetric::step, {}}, {GatedMetric::energy, {}}}),
                                        [](const ComparedCase&, const ComparedCase&) { return 0.1; });
  EXPECT_TRUE(comparison.cases[0].is_machine_noise);
  EXPECT_EQ(comparison.cases[1].verdict, Verdict::slower);
  EXPECT_FALSE(comparison.cases[1].machine_spread);
}

}  // namespace
}  // namespace mpsbench::report
