
#include "report/compare/compare.hpp"
#include "stats/launches_needed.hpp"
#include "support/compared.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::report {

namespace {

using tests::compared_case;

constexpr auto kMemory = schema::GatedMetric::peak_memory;

// A pair of cases with this difference of logarithms, whose launches spread by SPREAD.
struct Made {
  ComparedCase before, after;
  CaseComparison pair;
};

void decide_on(Made& made, double change, double half_width, double p, double spread = 0.01) {
  made.before = compared_case("x/train/cpu/b1", {1, 1 + spread, 1 - spread});
  made.after = compared_case("x/train/cpu/b1", {1, 1 + spread, 1 - spread});
  made.pair.before = &made.before;
  made.pair.after = &made.after;
  stats::Difference difference{change, 1, 100};
  difference.standard_error = half_width / difference.half_width(0.95);
  made.pair.difference = difference;
  made.pair.adjusted_p = p;
  decide(made.pair, 0.01, 10);
}

Verdict verdict(double change, double half_width, double p) {
  Made made;
  decide_on(made, change, half_width, p);
  return made.pair.verdict;
}

TEST(Decide, NeedsSizeAndSignificance) {
  EXPECT_EQ(verdict(0.03, 0.005, 0.009), Verdict::slower);
  EXPECT_EQ(verdict(-0.03, 0.005, 0.009), Verdict::faster);
  EXPECT_EQ(verdict(0.03, 0.005, 0.011), Verdict::undecided);
  EXPECT_EQ(verdict(0.019, 0.005, 0.0), Verdict::undecided) << "not larger than the threshold, not within it";
  EXPECT_EQ(verdict(0.01, 0.0097, 0.0), Verdict::same);
  EXPECT_EQ(verdict(-0.01, 0.0097, 1), Verdict::same);
  EXPECT_EQ(verdict(0.01, 0.0099, 1), Verdict::undecided) << "log 1.02 is 0.0198";
  EXPECT_EQ(verdict(0, 0, 1), Verdict::same);
  EXPECT_EQ(verdict(0.03, 0.0001, 0.02), Verdict::undecided) << "times are tested however close they are";
}

TEST(Decide, AdvisesLaunches) {
  Made made;
  decide_on(made, 0.01, 0.05, 1);
  const std::int64_t needed = made.pair.launches_needed.value();
  EXPECT_GT(needed, 3);
  decide_on(made, 0.01, 0.05, 1, 0.02);
  EXPECT_GT(made.pair.launches_needed.value(), needed);
  decide_on(made, 0.01, 0.05, 1, 0.5);
  EXPECT_FALSE(made.pair.launches_needed) << "too many to advise";
  decide_on(made, 0, 0, 1);
  EXPECT_FALSE(made.pair.launches_needed) << "decided";
}

// So many launches that a change of 2.5 thresholds would have been called. Then the change seen so far decides.
TEST(Decide, AdvisesMoreLaunchesNearTheThreshold) {
  Made made;
  const auto needed = [&](double change, double p) {
    decide_on(made, change, 0.001, p, 0.0001);
    return made.pair.launches_needed;
  };
  EXPECT_GT(needed(0.0195, 1).value(), 3);
  EXPECT_FALSE(needed(std::log1p(0.02), 1)) << "no number of launches settles a change equal to the threshold";
}

TEST(Decide, WithoutADifferenceAdvisesTheFirstLaunches) {
  const ComparedCase one = compared_case("x/train/cpu/b1", {1});
  const ComparedCase three = compared_case("x/train/cpu/b1", {1, 1.01, 0.99});
  CaseComparison pair;
  pair.before = &one;
  pair.after = &one;
  decide(pair, 0.01, 1);
  EXPECT_EQ(pair.verdict, Verdict::undecided);
  EXPECT_EQ(pair.launches_needed, kFirstLaunches);
  pair.after = &three;
  decide(pair, 0.01, 1);
  EXPECT_GT(pair.launches_needed.value(), kFirstLaunches);
}

ComparedCase case_of_memory(const std::vector<double>& bytes) {
  ComparedCase made = compared_case("x/train/cpu/b1", std::vector<double>(bytes.size(), 1));
  tests::set_values(made, kMemory, bytes);
  return made;
}

// Returns the verdict on launches whose device allocator counted these peaks.
Verdict memory_verdict(const std::vector<double>& before, const std::vector<double>& after, double p = 1) {
  ComparedCase one = case_of_memory(before);
  ComparedCase other = case_of_memory(after);
  tests::count_memory(one);
  tests::count_memory(other);
  CaseComparison pair;
  pair.metric = kMemory;
  pair.before = &one;
  pair.after = &other;
  pair.difference = stats::welch(one.logs(kMemory), other.logs(kMemory));
  pair.adjusted_p = p;
  decide(pair, 0.01, 10);
  return pair.verdict;
}

TEST(Decide, TakesEqualMemoryForWhatTheCodeNeeds) {
  EXPECT_EQ(memory_verdict({1000, 1000}, {1000, 1000}), Verdict::same);
  EXPECT_EQ(memory_verdict({1000, 1000}, {1019, 1019}), Verdict::same);
  EXPECT_EQ(memory_verdict({1000, 1000}, {1021, 1021}), Verdict::slower);
  EXPECT_EQ(memory_verdict({1000, 1000}, {979, 979}), Verdict::faster);
  EXPECT_EQ(memory_verdict({1000, 1001}, {1024, 1022}), Verdict::slower) << "within a tenth of the threshold";
  EXPECT_EQ(memory_verdict({1000, 1003}, {1024, 1022}), Verdict::undecided) << "not within it";
  EXPECT_EQ(memory_verdict({1000, 1003}, {1024, 1022}, 0.001), Verdict::slower) << "by the test";
  EXPECT_EQ(memory_verdict({1000}, {1500, 1500}), Verdict::undecided) << "a single launch shows no spread";
}

TEST(Decide, TestsTheMemoryOfAProcess) {
  ComparedReport before = tests::compared_report("a", {});
  ComparedReport after = tests::compared_report("b", {});
  CompareRules rules;
  rules.gate_on = {{kMemory, 0.01}};
  const auto compared = [&](std::size_t launches, double factor) {
    before.cases = {case_of_memory(std::vector<double>(launches, 1e8))};
    after.cases = {case_of_memory(std::vector<double>(launches, 1e8 * factor))};
    return compare(before, after, rules).cases[0];
  };
  EXPECT_EQ(compared(2, 1).verdict, Verdict::same);
  EXPECT_EQ(compared(2, 1.009).verdict, Verdict::same);
  EXPECT_EQ(compared(4, 1.5).verdict, Verdict::undecided);
  EXPECT_EQ(compared(4, 1.5).launches_needed, 5) << "the first number of which the order can show 1 %";
  EXPECT_EQ(compared(5, 1.5).verdict, Verdict::slower);
  EXPECT_DOUBLE_EQ(compared(5, 1.5).adjusted_p.value(), 2.0 / 252);
  rules.takes_turns = true;
  EXPECT_EQ(compared(7, 1.5).launches_needed, 8);
  EXPECT_EQ(compared(8, 1.5).verdict, Verdict::slower);
}

TEST(Decide, TestsMemoryIfOneLaunchWasNotCounted) {
  ComparedReport before = tests::compared_report("a", {case_of_memory({1e8, 1e8})});
  ComparedReport after = tests::compared_report("b", {case_of_memory({2e8, 2e8})});
  CompareRules rules;
  rules.gate_on = {{kMemory, 0.01}};
  tests::count_memory(before.cases[0]);
  after.cases[0].launches[0].counts_memory = true;
  EXPECT_EQ(compare(before, after, rules).cases[0].verdict, Verdict::undecided);
  tests::count_memory(after.cases[0]);
  EXPECT_EQ(compare(before, after, rules).cases[0].verdict, Verdict::slower);
}

TEST(ToRatio, IsTheDifferenceAsAFactor) {
  const stats::Difference difference{std::log(1.5), 0.1, 8};
  const Ratio ratio = to_ratio(difference);
  EXPECT_DOUBLE_EQ(ratio.value, 1.5);
  EXPECT_NEAR(ratio.high / ratio.value, ratio.value / ratio.low, 1e-12);
  EXPECT_NEAR(std::log(ratio.high / ratio.value), difference.half_width(0.95), 1e-12);
}

using tests::compared_report;

std::optional<Ratio> mean_of(const std::vector<std::vector<double>>& before,
                             const std::vector<std::vector<double>>& after) {
  ComparedReport a = compared_report("a", {});
  ComparedReport b = compared_report("b", {});
  for (std::size_t i = 0; i < before.size(); ++i) {
    const std::string id = "x/train/cpu/b" + std::to_string(i + 1);
    a.cases.push_back(compared_case(id, before[i]));
    b.cases.push_back(compared_case(id, after[i]));
  }
  return compare(a, b, {}).mean;
}

TEST(GeometricMean, IsOfTheCasesRatios) {
  const auto mean = mean_of({{1, 1, 1}, {1, 1, 1}}, {{2, 2, 2}, {8, 8, 8}});
  EXPECT_NEAR(mean->value, 4, 1e-12);
  EXPECT_NEAR(mean->low, 4, 1e-12);
}

// Noise that the cases of a block share does not average out over them; other noise does.
TEST(GeometricMean, TakesTheBlockForItsUnit) {
  const std::vector<double> up{1, 1.1, 1.2};
  const std::vector<double> down{1.2, 1.1, 1};
  const auto width = [](const Ratio& ratio) { return std::log(ratio.high / ratio.low); };
  const double together = width(*mean_of({up, up}, {up, up}));
  const double alone = width(*mean_of({up, down}, {up, down}));
  EXPECT_GT(together, 5 * alone);
}

TEST(GeometricMean, NeedsTwoCasesAndTwoWholeBlocks) {
  EXPECT_FALSE(mean_of({{1, 2}}, {{1, 2}}));
  EXPECT_TRUE(mean_of({{1, 2}, {1, 2, 3}}, {{1, 2}, {1, 2}}));
  EXPECT_FALSE(mean_of({{1, 2}, {1}}, {{1, 2}, {1, 2}})) << "the second has no ratio";
}

}  // namespace

}  // namespace mpsbench::report
