#include "report/compare/required_launches.hpp"

#include "report/simulated_gate.hpp"
#include "support/compared.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace mpsbench::report {

namespace {

using tests::compared_case;
using tests::compared_report;

constexpr const char* kCase = "x/train/cpu/b1";

// Returns COUNT launches whose times differ from SECONDS by up to SPREAD.
ComparedReport steady(const std::string& file, std::size_t count, double spread, double seconds = 1) {
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    const double step = static_cast<double>(i % 5) / 2 - 1;
    times.push_back(seconds * (1 + spread * step));
  }
  return compared_report(file, {compared_case(kCase, times)});
}

RequiredLaunches plan(const ComparedReport& before, const ComparedReport& after, bool is_fixed) {
  return required_launches(compare(before, after, {}), is_fixed);
}

TEST(RequiredLaunches, AsksForNothingWhereTheLaunchesDo) {
  EXPECT_TRUE(plan(steady("a", 5, 0.001), steady("b", 5, 0.001), true).empty());
  EXPECT_TRUE(plan(steady("a", 5, 0), steady("b", 5, 0), true).empty());
  EXPECT_TRUE(plan(steady("a", 5, 0), steady("b", 5, 0), false).empty());
}

TEST(RequiredLaunches, GrowsWithTheSpreadAndNotWithTheChange) {
  const std::int64_t few = plan(steady("a", 60, 0.05), steady("b", 5, 0.05), true).at(kCase);
  EXPECT_GT(few, 5);
  EXPECT_GT(plan(steady("a", 60, 0.07), steady("b", 5, 0.07), true).at(kCase), few);
  EXPECT_EQ(plan(steady("a", 60, 0.05), steady("b", 5, 0.05, 2), true).at(kCase), few);
}

TEST(RequiredLaunches, MakesUpForASmallBaselineOnlySoFar) {
  EXPECT_EQ(plan(steady("a", 5, 0.2), steady("b", 5, 0.2), true).at(kCase), 5 * kMostAgainstFixed);
  EXPECT_GT(plan(steady("a", 5, 0.2), steady("b", 5, 0.2), false).at(kCase), 5 * kMostAgainstFixed);
  EXPECT_TRUE(plan(steady("a", 1, 0), steady("b", 5, 0.2), true).empty()) << "a single launch says too little";
}

TEST(RequiredLaunches, LeavesOutWhatIsNotCompared) {
  const ComparedReport before = compared_report("a", {compared_case(kCase, {})});
  EXPECT_TRUE(plan(before, steady("b", 5, 0.1), true).empty());
}

TEST(RequiredLaunches, AreThoseOfTheMetricThatNeedsMost) {
  using schema::GatedMetric;
  CompareRules rules;
  rules.gate_on = {{GatedMetric::energy, std::nullopt}, {GatedMetric::step, std::nullopt}};
  const auto with_energy = [](ComparedReport report, double spread) {
    const ComparedReport energies = steady("", report.cases[0].launches.size(), spread);
    for (std::size_t i = 0; i < report.cases[0].launches.size(); ++i)
      report.cases[0].launches[i].others[GatedMetric::energy] = energies.cases[0].launches[i].step_seconds;
    return report;
  };
  const auto wanted = [&](double steps, double energies) {
    const ComparedReport before = with_energy(steady("a", 60, steps), energies);
    const ComparedReport after = with_energy(steady("b", 5, steps), energies);
    return required_launches(compare(before, after, rules), true).at(kCase);
  };
  EXPECT_GT(wanted(0.03, 0.06), wanted(0.03, 0.05));
  EXPECT_EQ(wanted(0.06, 0.05), wanted(0.05, 0.06));
}

TEST(RequiredLaunches, EqualMemoryNeedsNoMore) {
  using schema::GatedMetric;
  CompareRules rules;
  rules.gate_on = {{GatedMetric::peak_memory, std::nullopt}};
  ComparedReport before = steady("a", 5, 0.1);
  ComparedReport after = steady("b", 2, 0.1);
  tests::set_values(before.cases[0], GatedMetric::peak_memory, {1000, 1001, 1000, 1001, 1000});
  tests::set_values(after.cases[0], GatedMetric::peak_memory, {1000, 1000});
  EXPECT_FALSE(required_launches(compare(before, after, rules), true).empty()) << "a process's memory varies";
  tests::count_memory(before.cases[0]);
  tests::count_memory(after.cases[0]);
  EXPECT_TRUE(required_launches(compare(before, after, rules), true).empty());
}

TEST(RequiredLaunches, OfAProcesssMemoryAreEnoughForATestOfTheOrder) {
  using schema::GatedMetric;
  CompareRules rules;
  rules.gate_on = {{GatedMetric::peak_memory, std::nullopt}};
  const auto wanted = [&](std::size_t launches) {
    ComparedReport before = steady("a", launches, 0.1);
    ComparedReport after = steady("b", 2, 0.1);
    tests::set_values(before.cases[0], GatedMetric::peak_memory, std::vector<double>(launches, 1000));
    tests::set_values(after.cases[0], GatedMetric::peak_memory, {2000, 2000});
    return required_launches(compare(before, after, rules), true).at(kCase);
  };
  EXPECT_EQ(wanted(4), 6) << "2 of 210 ways are extreme; with one launch less 2 of 126, more than 1 %";
  EXPECT_EQ(wanted(2), 8) << "four times as many, which is the limit";
}

class GatePromises : public testing::TestWithParam<Noise> {};

// Counts the suites in which a case gets the verdict slower although none is or, with a CHANGE, in which the only
// slower case gets it.
template <typename Run>
int slower_verdicts(const Noise& noise, int suites, double change) {
  stats::RandomSeries random{change > 0 ? 18U : 17U};
  int count = 0;
  for (int suite = 0; suite < suites; ++suite) {
    const Run run(random, noise, kSimulatedCases, change);
    const Comparison comparison = run.comparison();
    const bool is_first_slower = comparison.cases.front().verdict == Verdict::slower;
    count += static_cast<int>(change > 0 ? is_first_slower : comparison.count(Verdict::slower) > 0);
  }
  return count;
}

const double kChange = std::log1p(kEffectThresholds * kThreshold);

TEST_P(GatePromises, HoldForEqualRuns) {
  EXPECT_LE(slower_verdicts<GatedRun>(GetParam(), 500, 0), 5);
}

TEST_P(GatePromises, HoldForOneSlowerCase) {
  if (GetParam().drift > 0) GTEST_SKIP() << "runs of different lengths drift apart, which counts as a change";
  EXPECT_GE(slower_verdicts<GatedRun>(GetParam(), 200, kChange), 190);
}

TEST_P(GatePromises, HoldForEqualWorkersInTurns) {
  EXPECT_LE(slower_verdicts<VersusRun>(GetParam(), 500, 0), 5);
}

TEST_P(GatePromises, HoldForASlowerWorkerInTurns) {
  EXPECT_GE(slower_verdicts<VersusRun>(GetParam(), 200, kChange), 190);
}

INSTANTIATE_TEST_SUITE_P(Noises, GatePromises, testing::ValuesIn(noises()), noise_name<testing::TestParamInfo<Noise>>);

// RUNS runs of PER_RUN launches each; the odd runs are a little slower.
schema::CaseResult runs_of_launches(std::int64_t runs, std::int64_t per_run) {
  schema::CaseResult result;
  for (std::int64_t i = 0; i < runs * per_run; ++i) {
    const double seconds = 0.01 * (1 + 0.002 * static_cast<double>(i % 2) + 0.001 * static_cast<double>(i % 3));
    result.launches.push_back(tests::good_launch({seconds, seconds, seconds}, i));
  }
  return result;
}

TEST(Calibrate, TakesLaunchesThatFollowEachOtherForARun) {
  const auto spread = calibrate(runs_of_launches(10, 3), 3);
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->runs, 10);
  EXPECT_GT(spread->launch, 0);
}

TEST(Calibrate, LeavesOutRunsThatAreNotWhole) {
  schema::CaseResult result = runs_of_launches(10, 3);
  result.launches[4].status = schema::Status::crashed;
  EXPECT_EQ(calibrate(result, 3)->runs, 9);
  result.launches.resize(14);
  EXPECT_FALSE(calibrate(result, 3)) << "only three complete runs";
}

TEST(Calibrate, LeavesOutRunsThatWereDisturbedIfEnoughAreLeft) {
  schema::CaseResult result = runs_of_launches(6, 3);
  result.launches[4].disturbed = schema::Disturbance::background_load;
  EXPECT_EQ(calibrate(result, 3)->runs, 5);
  result.launches[8].disturbed = schema::Disturbance::background_load;
  EXPECT_EQ(calibrate(result, 3)->runs, 6);
}

TEST(Calibrate, FindsNothingWhereARunHasNoLaunch) {
  EXPECT_FALSE(calibrate(runs_of_launches(10, 1), 0));
}

class CalibrationFile : public testing::Test {
 protected:
  static schema::HostInfo machine() {
    schema::HostInfo host;
    host.cpu.model = "AMD EPYC";
    return host;
  }

  tests::Scratch scratch_;
  SpreadStore calibration_{scratch_ / "cache"};
  schema::HostInfo host_ = machine();
};

TEST_F(CalibrationFile, KeepsCasesBesideEachOther) {
  calibration_.keep(host_, "cpu", {{"a", {0.02, 0.01, 10}}, {"b", {0.1, 0, 7}}});
  calibration_.keep(host_, "cpu", {{"b", {0.2, 0.1, 8}}, {"c", {0, 0, 5}}});
  const Spreads found = calibration_.find(host_, "cpu");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("a").run, 0.01);
  EXPECT_EQ(found.at("b").launch, 0.2);
  EXPECT_EQ(found.at("b").runs, 8);
  EXPECT_TRUE(calibration_.find(host_, "cuda").empty());
  host_.cpu.model = "Apple M1";
  EXPECT_TRUE(calibration_.find(host_, "cpu").empty());
}

TEST_F(CalibrationFile, ABrokenOneCostsAWarning) {
  calibration_.keep(host_, "cpu", {{"a", {0.02, 0.01, 10}}});
  const std::filesystem::path file = std::filesystem::directory_iterator(scratch_ / "cache")->path();
  for (const char* wrong : {"\"runs\": 1", "\"runs\": 10.5", "\"other\": 10"}) {
    std::string text = tests::content(file);
    text.replace(text.find("\"runs\": 10"), 10, wrong);
    scratch_.write("cache/" + file.filename().string(), text);
    testing::internal::CaptureStderr();
    EXPECT_TRUE(calibration_.find(host_, "cpu").empty()) << wrong;
    EXPECT_NE(testing::internal::GetCapturedStderr().find("$.spread.a"), std::string::npos) << wrong;
    calibration_.keep(host_, "cpu", {{"a", {0.02, 0.01, 10}}});
  }
}

TEST_F(CalibrationFile, AChangeWithinItIsNotCalled) {
  const ComparedReport before = tests::compared_report("a", {compared_case("x/train/cpu/b1", {1, 1.001, 0.999, 1, 1})});
  const ComparedReport after =
      tests::compared_report("b", {compared_case("x/train/cpu/b1", {1.05, 1.051, 1.049, 1.05, 1.05})});
  EXPECT_EQ(compare(before, after, {}, calibration_.spread_of(host_)).cases[0].verdict, Verdict::slower);
  calibration_.keep(host_, "cpu", {{"x/train/cpu/b1", {0, 0.02, 10}}});
  const Comparison comparison = compare(before, after, {}, calibration_.spread_of(host_));
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::undecided);
  EXPECT_TRUE(comparison.cases[0].is_machine_noise);
  EXPECT_FALSE(comparison.cases[0].launches_needed);
  EXPECT_NEAR(comparison.cases[0].machine_spread.value(), 0.096, 0.001);
  calibration_.keep(host_, "cpu", {{"x/train/cpu/b1", {0, 0.01, 10}}});
  EXPECT_EQ(compare(before, after, {}, calibration_.spread_of(host_)).cases[0].verdict, Verdict::slower);
}

}  // namespace

}  // namespace mpsbench::report
