#include "stats/run_spread.hpp"

#include "stats/random_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mpsbench::stats {
namespace {

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
}

TEST(RunSpread, OfRunsThatAreAllAlikeIsNothing) {
  const auto spread = run_spread(Runs(5, {1.0, 1.0}));
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->launch, 0);
  EXPECT_EQ(spread->run, 0);
  EXPECT_EQ(spread->between(3, 3), 0);
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
