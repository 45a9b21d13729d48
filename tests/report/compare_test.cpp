#include "report/compare/compare.hpp"

#include "report/simulated_reports.hpp"
#include "support/compared.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;

const std::vector<double> kSteady{1, 1.001, 0.999, 1.002, 0.998};

std::vector<double> times(double factor) {
  return scaled(kSteady, factor);
}

TEST(Compare, PairsCasesById) {
  ComparedReport before = compared_report(
      "a", {compared_case("x/train/cpu/b1", kSteady), compared_case("y/train/cpu/b1", kSteady)});
  ComparedReport after = compared_report(
      "b", {compared_case("z/train/cpu/b1", kSteady), compared_case("y/train/cpu/b1", times(1.1))});
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
  EXPECT_EQ(ids, (std::vector<std::string>{"x/train/cpu/b8/fp32", "x/train/cpu/b16/fp32",
                                           "x/train/cpu/b128/fp32", "y/train/cpu/b2/fp32"}));
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

// A small version of compare_simulation with a fixed seed. The standard error of a coverage is 0.15 %, of an
// alarm 0.2 %.
class ComparePromises : public testing::TestWithParam<Noise> {};

TEST_P(ComparePromises, HoldForUnchangedCode) {
  constexpr std::size_t kCases = 10;
  constexpr int kSuites = 2000;
  stats::RandomSeries random{7};
  int covered = 0;
  int alarms = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    const ComparedReport before = simulated_report(random, GetParam(), kCases, 5, false);
    const ComparedReport after = simulated_report(random, GetParam(), kCases, 5, true);
    const Comparison comparison = compare(before, after, {});
    for (const CaseComparison& one : comparison.cases)
      covered += static_cast<int>(one.ratio->low <= 1 && 1 <= one.ratio->high);
    alarms += static_cast<int>(comparison.count(Verdict::slower) > 0);
  }
  EXPECT_GE(covered, 0.93 * kSuites * kCases);
  EXPECT_LE(covered, 0.97 * kSuites * kCases);
  EXPECT_LE(alarms, 0.01 * kSuites);
}

TEST_P(ComparePromises, HoldForOneSlowerCase) {
  constexpr int kSuites = 200;
  const double change = std::log1p(kEffectThresholds * kThreshold);
  stats::RandomSeries random{8};
  int called = 0;
  int taken_for_same = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    const auto first = [&](std::int64_t launches) {
      const ComparedReport before = simulated_report(random, GetParam(), 10, launches, false);
      const ComparedReport after = simulated_report(random, GetParam(), 10, launches, true, change);
      const CaseComparison pair = compare(before, after, {}).cases.front();
      return std::pair(pair.verdict, pair.launches_needed);
    };
    auto [verdict, needed] = first(5);
    taken_for_same += static_cast<int>(verdict == Verdict::same);
    if (needed) verdict = first(*needed).first;
    called += static_cast<int>(verdict == Verdict::slower);
  }
  EXPECT_GE(called, 0.95 * kSuites);
  EXPECT_LE(taken_for_same, 1);
}

INSTANTIATE_TEST_SUITE_P(Noises, ComparePromises, testing::ValuesIn(noises()), [](const auto& test) {
  std::string name = test.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == '%'; });
  return name;
});

}  // namespace
}  // namespace mpsbench::report
