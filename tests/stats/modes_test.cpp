#include "stats/modes.hpp"

#include "stats/random_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace mpsbench::stats {
namespace {

constexpr int kSeries = 100;

// How many of kSeries seeded series are called bimodal.
int count_bimodal(const std::function<double(RandomSeries&, int)>& draw, int samples) {
  RandomSeries random{5};
  int count = 0;
  for (int i = 0; i < kSeries; ++i) {
    std::vector<double> series;
    for (int j = 0; j < samples; ++j) series.push_back(draw(random, j));
    count += static_cast<int>(is_bimodal(series));
  }
  return count;
}

TEST(Modes, TwoNoisyLevelsAreSeen) {
  const auto two_levels = [](double share) {
    return [share](RandomSeries& random, int) {
      return (random.uniform() < share ? 1.3 : 1.0) + 0.02 * random.normal();
    };
  };
  EXPECT_GE(count_bimodal(two_levels(0.5), 60), 98);
  EXPECT_GE(count_bimodal(two_levels(0.2), 200), 98);
  EXPECT_EQ(count_bimodal(two_levels(0.03), 200), 0) << "a rare outlier is not a mode";
}

TEST(Modes, LongStaysOnEachLevelAreSeen) {
  EXPECT_EQ(count_bimodal([](RandomSeries& random,
                             int i) { return (i / 25 % 2 == 0 ? 1 : 1.2) + 0.01 * random.normal(); },
                          100),
            kSeries);
}

TEST(Modes, OneLevelIsNotTwo) {
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int) { return 1 + 0.1 * random.normal(); }, 200), 0);
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int) { return 1 + random.uniform(); }, 200), 0);
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int) { return random.lognormal(); }, 200), 0);
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int) { return 10 + random.student3(); }, 200), 0);
  EXPECT_LE(count_bimodal([](RandomSeries& random, int) { return 1 + 0.1 * random.normal(); }, 20), 1);
}

TEST(Modes, HeavyTailIsNotASecondLevel) {
  const auto spikes = [](RandomSeries& random, int) {
    return random.uniform() < 0.12 ? std::pow(random.uniform(), -1 / 1.5) : 1 + 0.01 * random.normal();
  };
  EXPECT_LE(count_bimodal(spikes, 200), 2);
}

TEST(Modes, DriftAndASingleChangeAreNotTwoLevels) {
  EXPECT_EQ(
      count_bimodal([](RandomSeries& random, int i) { return 1 + 0.01 * i + 0.01 * random.normal(); }, 100),
      0);
  EXPECT_EQ(count_bimodal(
                [](RandomSeries& random, int i) { return (i < 50 ? 1 : 1.3) + 0.01 * random.normal(); }, 100),
            0);
}

TEST(Modes, TicksOfACoarseClockAreNotLevels) {
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int) { return random.uniform() < 0.5 ? 1.0 : 1.01; }, 100),
            0);
  EXPECT_FALSE(is_bimodal(std::vector<double>(19, 1.0)));
}

}  // namespace
}  // namespace mpsbench::stats
