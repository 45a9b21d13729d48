#include "output/console/verdict_words.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using report::Ratio;
using report::Verdict;
using schema::GatedMetric;
using tests::compared_case;

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

TEST(Standing, UsesTheMetricsWordsAndThreshold) {
  report::CaseComparison pair = undecided(Ratio{1.05, 1.02, 1.1});
  pair.threshold = 0.005;
  pair.metric = GatedMetric::peak_memory;
  EXPECT_EQ(standing(pair), "probably larger by more than 0.5 %");
  pair.metric = GatedMetric::energy;
  EXPECT_EQ(standing(pair), "probably higher by more than 0.5 %");
  pair.ratio = Ratio{0.95, 0.9, 0.999};
  EXPECT_EQ(standing(pair), "lower, perhaps by less than 0.5 %");
}

TEST(Standing, SaysThatEqualRunsDifferAsMuch) {
  report::CaseComparison pair = undecided(Ratio{1.05, 1.04, 1.06});
  pair.is_machine_noise = true;
  EXPECT_EQ(standing(pair), "slower, but equal runs differ as much");
}

TEST(Standing, NeedsAnUndecidedVerdictWithAnInterval) {
  EXPECT_EQ(standing(undecided(std::nullopt)), "");
  report::CaseComparison pair = undecided(Ratio{1.05, 1.04, 1.06});
  pair.verdict = Verdict::slower;
  EXPECT_EQ(standing(pair), "");
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
  EXPECT_EQ(verdict_word(GatedMetric::step, Verdict::slower), "slower");
  EXPECT_EQ(verdict_word(GatedMetric::latency_p99, Verdict::faster), "faster");
  EXPECT_EQ(verdict_word(GatedMetric::peak_memory, Verdict::slower), "larger");
  EXPECT_EQ(verdict_word(GatedMetric::peak_memory, Verdict::faster), "smaller");
  EXPECT_EQ(verdict_word(GatedMetric::energy, Verdict::slower), "higher");
  EXPECT_EQ(verdict_word(GatedMetric::energy, Verdict::faster), "lower");
  EXPECT_EQ(verdict_word(GatedMetric::energy, Verdict::same), "same");
}

TEST(ValueText, HasTheMetricsUnit) {
  report::ComparedCase result = compared_case("x/infer/cpu/b1", {0.002});
  EXPECT_EQ(value_text(&result, GatedMetric::step), "2.00 ms ±?");
  EXPECT_EQ(value_text(&result, GatedMetric::energy), "–");
  EXPECT_EQ(value_text(nullptr, GatedMetric::step), "–");
  result.launches[0].others = {
      {GatedMetric::latency_p99, 0.003}, {GatedMetric::peak_memory, 3 << 20}, {GatedMetric::energy, 0.0125}};
  EXPECT_EQ(value_text(&result, GatedMetric::latency_p99), "3.00 ms");
  EXPECT_EQ(value_text(&result, GatedMetric::peak_memory), "3.0 MiB");
  EXPECT_EQ(value_text(&result, GatedMetric::energy), "0.0125 J");
}

TEST(ValueText, ShowsTheTimesInterval) {
  report::ComparedCase result = compared_case("x/infer/cpu/b1", {0.91, 1.2, 2.72});
  result.ci95 = schema::Interval{0.1, 9};
  EXPECT_EQ(value_text(&result, GatedMetric::step), "910 ms −89 % +889 %");
}

TEST(FormatChanges, ShowsWideIntervalsAsFactors) {
  EXPECT_EQ(format_changes({1.1, 1.071, 1.128}), "+7.1 … +12.8");
  EXPECT_EQ(format_changes({1, 0.6, 1.6}), "−40.0 … +60.0");
  EXPECT_EQ(format_changes({0.08, 0.036, 0.164}), "−96.4 … −83.6");
  EXPECT_EQ(format_changes({1, 0.5, 2.1}), "0.500× … 2.10×");
  EXPECT_EQ(format_changes({1, 0.00004, 25'000}), "<0.001× … >1000×");
}

TEST(FormatChange, UsesTheMinusSign) {
  EXPECT_EQ(format_change(0.9), "−10.0 %");
  EXPECT_EQ(format_change(0.99999), "0.0 %");
  EXPECT_EQ(format_change(3), "+200 %");
}

}  // namespace
}  // namespace mpsbench::output
