#include "stats/series.hpp"

#include "stats/random_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace mpsbench::stats {

namespace {

std::vector<double> noisy_line(std::size_t count, double rise, double noise) {
  RandomSeries random{3};
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back(1 + rise * static_cast<double>(i) / static_cast<double>(count) + noise * random.normal());
  }
  return samples;
}

TEST(Drift, MeasuresTheChangeBetweenThirds) {
  std::vector<double> samples;
  for (int i = 0; i < 30; ++i) samples.push_back(100 + i);
  EXPECT_DOUBLE_EQ(*relative_drift(samples), 20 / 114.5);
  EXPECT_FALSE(relative_drift(std::span<const double>{samples}.first(14)));
}

TEST(Drift, SeesThroughNoise) {
  EXPECT_NEAR(*relative_drift(noisy_line(200, 0.15, 0.02)), 0.135 / 1.075, 0.015);
  EXPECT_NEAR(*relative_drift(noisy_line(200, -0.15, 0.02)), -0.135 / 0.925, 0.015);
  EXPECT_FALSE(relative_drift(noisy_line(200, 0, 0.02)));
}

TEST(Drift, SeesThatOnlyTheEndIsSlower) {
  std::vector<double> samples = noisy_line(1000, 0, 0.02);
  for (std::size_t i = 900; i < 1000; ++i) samples[i] *= 1.4;
  EXPECT_NEAR(*relative_drift(samples), 0.4, 0.02);
}

TEST(Drift, SeesASingleChangeOfLevel) {
  std::vector<double> samples(60, 1.0);
  for (std::size_t i = 30; i < 60; ++i) samples[i] = 1.3;
  EXPECT_NEAR(*relative_drift(samples), 0.3 / 1.15, 1e-12);
}

// Wandering is not drift: few of 200 correlated series without a trend may be reported as drifting.
TEST(Drift, IsRarelySeenInCorrelatedNoise) {
  RandomSeries random{11};
  int seen = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> samples = random.autoregressive(300, 0.9);
    for (double& sample : samples) sample = 10 + sample;
    seen += static_cast<int>(relative_drift(samples).has_value());
  }
  EXPECT_LE(seen, 8);
}

TEST(DriftRatio, IsTheLastTenthOverTheFirst) {
  std::vector<double> samples(29, 1.0);
  samples[0] = samples[1] = 2;  // the first tenth
  samples[28] = 9;              // half of the last tenth
  EXPECT_DOUBLE_EQ(drift_ratio(samples).value(), 5.0 / 2);
  EXPECT_FALSE(drift_ratio(std::vector<double>(9, 1.0)));
  EXPECT_FALSE(drift_ratio(std::vector<double>(10, 0.0)));
}

TEST(Settled, WhenHalvesAgreeWithinTheTolerance) {
  EXPECT_TRUE(is_settled(std::vector<double>{1.00, 1.01}, 0.02));
  EXPECT_FALSE(is_settled(std::vector<double>{1.03, 1.00}, 0.02));
  EXPECT_FALSE(is_settled(std::vector<double>{1.00}, 0.02));
  EXPECT_FALSE(is_settled(std::vector<double>{5, 4, 3, 2.5, 2.2, 2.1}, 0.02));
  EXPECT_TRUE(is_settled(std::vector<double>{2.01, 2.02, 2.00, 2.01, 2.00, 2.02}, 0.02));
}

TEST(Settled, WhenNoiseMixesTheHalves) {
  EXPECT_TRUE(is_settled(std::vector<double>{1.0, 1.3, 0.9, 1.2, 0.9, 1.2, 1.0, 0.8}, 0.02));
}

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
    return
        [share](RandomSeries& random, int) { return (random.uniform() < share ? 1.3 : 1.0) + 0.02 * random.normal(); };
  };
  EXPECT_GE(count_bimodal(two_levels(0.5), 60), 98);
  EXPECT_GE(count_bimodal(two_levels(0.2), 200), 98);
  EXPECT_EQ(count_bimodal(two_levels(0.03), 200), 0) << "a rare outlier is not a mode";
}

TEST(Modes, LongStaysOnEachLevelAreSeen) {
  EXPECT_EQ(count_bimodal(
                [](RandomSeries& random, int i) { return (i / 25 % 2 == 0 ? 1 : 1.2) + 0.01 * random.normal(); }, 100),
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
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int i) { return 1 + 0.01 * i + 0.01 * random.normal(); }, 100), 0);
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int i) { return (i < 50 ? 1 : 1.3) + 0.01 * random.normal(); }, 100),
            0);
}

TEST(Modes, TicksOfACoarseClockAreNotLevels) {
  EXPECT_EQ(count_bimodal([](RandomSeries& random, int) { return random.uniform() < 0.5 ? 1.0 : 1.01; }, 100), 0);
  EXPECT_FALSE(is_bimodal(std::vector<double>(19, 1.0)));
}

TEST(MedianSlope, IsThatOfALine) {
  EXPECT_DOUBLE_EQ(median_slope(std::vector{1.0, 2.0, 5.0}, std::vector{3.0, 5.0, 11.0}).value(), 2.0);
}

TEST(MedianSlope, IsNotMovedByOneOutlier) {
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6};
  const std::vector<double> y{0, 1, 2, 300, 4, 5, 6};
  EXPECT_DOUBLE_EQ(median_slope(x, y).value(), 1.0);
}

TEST(MedianSlope, NeedsTwoPlaces) {
  EXPECT_EQ(median_slope({}, {}), std::nullopt);
  EXPECT_EQ(median_slope(std::vector{1.0, 1.0}, std::vector{1.0, 2.0}), std::nullopt);
}

}  // namespace

}  // namespace mpsbench::stats
