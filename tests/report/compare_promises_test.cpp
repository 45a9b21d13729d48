#include "report/simulated_reports.hpp"
#include "support/compared.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace mpsbench::report {
namespace {

using schema::GatedMetric;

// A small version of compare_simulation with a fixed seed. The standard error of a coverage is 0.15 %, of an
// alarm 0.2 %.
class ComparePromises : public testing::TestWithParam<Noise> {};

TEST_P(ComparePromises, HoldForUnchangedCode) {
  const Unchanged found = compare_unchanged(stats::RandomSeries{7}, GetParam(), 5, 2000);
  EXPECT_GE(found.covered.percent(), 93);
  EXPECT_LE(found.covered.percent(), 97);
  EXPECT_LE(found.alarm.percent(), 1);
}

TEST_P(ComparePromises, HoldForOneSlowerCase) {
  const Slowed found = compare_slowed(stats::RandomSeries{8}, GetParam(), 5, 200);
  EXPECT_GE(found.called.percent(), 95);
  EXPECT_LE(found.same.hits, 1);
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

INSTANTIATE_TEST_SUITE_P(Noises, ComparePromises, testing::ValuesIn(noises()),
                         noise_name<testing::TestParamInfo<Noise>>);

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
