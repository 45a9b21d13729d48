#include "report/compare/compare.hpp"
#include "report/simulated_reports.hpp"
#include "support/compared.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace mpsbench::report {
namespace {

using schema::GatedMetric;

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

// The energy of a launch varies with its time, and on its own.
TEST_P(ComparePromises, HoldForTwoMetrics) {
  constexpr int kSuites = 1000;
  stats::RandomSeries random{9};
  CompareRules rules;
  rules.gate_on = {{GatedMetric::step, {}}, {GatedMetric::energy, {}}};
  const auto run = [&](bool after) {
    ComparedReport report = simulated_report(random, GetParam(), 10, 5, after);
    for (ComparedCase& result : report.cases) {
      for (ComparedLaunch& launch : result.launches)
        launch.others[GatedMetric::energy] = launch.step_seconds * std::exp(0.01 * random.normal());
    }
    return report;
  };
  int alarms = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    const ComparedReport before = run(false);
    const ComparedReport after = run(true);
    const Comparison comparison = compare(before, after, rules);
    ASSERT_EQ(comparison.cases.size(), 20U);
    alarms += static_cast<int>(comparison.count(Verdict::slower) > 0);
  }
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

// The memory of a process jumps between three values, as that of equal launches of mlp did (132.2, 134.1 and
// 136.2 MB), and varies by a few pages around them.
ComparedReport with_three_memories(stats::RandomSeries& random, std::int64_t launches) {
  constexpr std::array kBytes{132.2e6, 134.1e6, 136.2e6};
  ComparedReport report = tests::compared_report("a", {});
  for (int i = 0; i < 10; ++i) {
    report.cases.push_back(tests::compared_case("x/train/cpu/b" + std::to_string(i + 1),
                                                std::vector<double>(static_cast<std::size_t>(launches), 1)));
    for (ComparedLaunch& launch : report.cases.back().launches) {
      const auto at = static_cast<std::size_t>(3 * random.uniform());
      launch.others[GatedMetric::peak_memory] = kBytes.at(at) + 4096 * std::round(random.normal());
    }
  }
  return report;
}

class MemoryPromises : public testing::TestWithParam<std::int64_t> {};

TEST_P(MemoryPromises, HoldForUnchangedCode) {
  constexpr int kSuites = 1000;
  stats::RandomSeries random{10};
  CompareRules rules;
  rules.gate_on = {{GatedMetric::peak_memory, 0.01}};
  int false_verdicts = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    const ComparedReport before = with_three_memories(random, GetParam());
    const ComparedReport after = with_three_memories(random, GetParam());
    const Comparison comparison = compare(before, after, rules);
    false_verdicts += static_cast<int>(comparison.count(Verdict::slower) + comparison.count(Verdict::faster) > 0);
  }
  EXPECT_LE(false_verdicts, 0.01 * kSuites);
}

INSTANTIATE_TEST_SUITE_P(Launches, MemoryPromises, testing::Values(2, 3, 5, 7, 10));

}  // namespace
}  // namespace mpsbench::report
