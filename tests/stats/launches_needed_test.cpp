#include "stats/launches_needed.hpp"

#include "stats/random_series.hpp"
#include "stats/significance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace mpsbench::stats {

namespace {

using Logs = std::vector<double>;

const CallRule kRule{0.02, 0.001};

TEST(LaunchSpread, IsTheSumOfBothSides) {
  const auto spread = launch_spread(Logs{1, 3}, Logs{5, 7, 9});
  EXPECT_DOUBLE_EQ(spread->variance, 2 + 4);
  EXPECT_DOUBLE_EQ(spread->balance, 36.0 / 20);
  EXPECT_DOUBLE_EQ(spread->freedom, 1 / (1.0 / 9 + 4.0 / 9 / 2));
  EXPECT_DOUBLE_EQ(launch_spread(Logs{1}, Logs{5, 7, 9})->variance, 8) << "a single launch has the others'";
  EXPECT_DOUBLE_EQ(launch_spread(Logs{5, 7, 9}, Logs{1})->freedom, 2);
  EXPECT_FALSE(launch_spread(Logs{1}, Logs{2}));
}

TEST(LaunchesToCall, GrowWithSpreadAndShrinkWithWhatIsKnown) {
  const auto needed = [](double deviation, double freedom) {
    return launches_to_call({2 * deviation * deviation, freedom, 2}, kRule, 0.05, 0.95).value();
  };
  EXPECT_LT(needed(0.005, 8), needed(0.01, 8));
  EXPECT_LT(needed(0.01, 8), needed(0.03, 8));
  EXPECT_GT(needed(0.01, 2), needed(0.01, 30));
  EXPECT_EQ(launches_to_call({0, 4, 2}, kRule, 0.05, 0.95), 2);
  EXPECT_FALSE(launches_to_call({0.5, 4, 2}, kRule, 0.05, 0.95)) << "more than kMostLaunchesNeeded";
}

// Tests the promise itself: a pilot gives the number of launches, and that many fresh launches must find the
// change. 2,000 seeded trials have a standard error of 0.5 %.
TEST(LaunchesToCall, CallTheChangeAsOftenAsPromised) {
  constexpr int kTrials = 2000;
  constexpr double kEffect = 0.05;
  RandomSeries random{31};
  const auto logs = [&](std::int64_t count, double centre) {
    return RandomSeries::independent(static_cast<std::size_t>(count), [&] { return centre + 0.012 * random.normal(); });
  };
  int called = 0;
  for (int i = 0; i < kTrials; ++i) {
    const auto spread = launch_spread(logs(4, 0), logs(4, 0));
    const std::int64_t needed = launches_to_call(*spread, kRule, kEffect, 0.95).value();
    const auto difference = welch(logs(needed, 0), logs(needed, kEffect));
    called += static_cast<int>(difference->estimate > kRule.threshold && difference->p_value() <= kRule.alpha);
  }
  EXPECT_GE(called, 0.94 * kTrials);
}

TEST(LaunchesForWidth, AreTheFewestThatReachIt) {
  const LaunchSpread spread{2 * 0.01 * 0.01, 8, 2};
  const std::int64_t needed = launches_for_width(spread, 0.95, 0.01).value();
  const auto half_width = [&](std::int64_t launches) {
    const auto count = static_cast<double>(launches);
    return Difference{0, std::sqrt(spread.variance / count), 2 * (count - 1)}.half_width(0.95);
  };
  EXPECT_LE(half_width(needed), 0.01);
  EXPECT_GT(half_width(needed - 1), 0.01);
  EXPECT_FALSE(launches_for_width(spread, 0.95, 0)) << "no number of launches is enough";
}

using Runs = std::vector<std::vector<double>>;

Runs drawn(RandomSeries& random, std::size_t count, std::size_t launches, double of_launch, double of_run) {
  Runs runs;
  for (std::size_t i = 0; i < count; ++i) {
    const double level = of_run * random.normal();
    runs.push_back(RandomSeries::independent(launches, [&] { return level + of_launch * random.normal(); }));
  }
  return runs;
}

TEST(RunSpread, TellsTheTwoPartsApart) {
  RandomSeries random{3};
  const auto both = run_spread(drawn(random, 2000, 3, 0.02, 0.01));
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->launch, 0.02, 0.001);
  EXPECT_NEAR(both->run, 0.01, 0.001);
  EXPECT_EQ(both->runs, 2000);
  const auto launches_alone = run_spread(drawn(random, 2000, 3, 0.02, 0));
  EXPECT_LT(launches_alone->run, 0.002);
  const auto alike = run_spread(Runs(5, {1.0, 1.0}));
  ASSERT_TRUE(alike);
  EXPECT_EQ(alike->launch, 0);
  EXPECT_EQ(alike->run, 0);
  EXPECT_EQ(alike->between(3, 3), 0);
}

TEST(RunSpread, NeedsFiveWholeRuns) {
  EXPECT_FALSE(run_spread(Runs(4, {1.0, 1.1})));
  EXPECT_FALSE(run_spread(Runs(5, {1.0})));
  Runs uneven(5, {1.0, 1.1});
  uneven[2].push_back(1.0);
  EXPECT_FALSE(run_spread(uneven));
  Runs infinite(5, {1.0, 1.1});
  infinite[4][1] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(run_spread(infinite));
}

// Tests the promise itself: 99 of 100 further pairs of runs differ by less.
TEST(RunSpread, CoversFurtherPairsOfRuns) {
  RandomSeries random{5};
  constexpr int kTries = 3000;
  int covered = 0;
  for (int i = 0; i < kTries; ++i) {
    const auto spread = run_spread(drawn(random, 10, 3, 0.02, 0.01));
    const Runs pair = drawn(random, 2, 4, 0.02, 0.01);
    double difference = 0;
    for (std::size_t k = 0; k < 4; ++k) difference += (pair[0][k] - pair[1][k]) / 4;
    covered += static_cast<int>(std::abs(difference) <= std::log1p(spread->between(4, 4)));
  }
  EXPECT_GE(covered, 0.975 * kTries);
}

TEST(RunSpread, FallsWithLaunchesToTheRunsOwn) {
  const RunSpread spread{0.02, 0.01, 10};
  EXPECT_GT(spread.between(2, 2), spread.between(2, 8));
  EXPECT_DOUBLE_EQ(spread.between(2, 8), spread.between(8, 2));
  const double least = std::log1p(spread.between(1'000'000, 1'000'000));
  EXPECT_NEAR(least / (0.01 * std::sqrt(2.0)), 3.2498, 1e-3) << "Student's t of 9 degrees at 99 %";
}

}  // namespace

}  // namespace mpsbench::stats
