#include "stats/series.hpp"

#include "stats/random_series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace mpsbench::stats {
namespace {

std::vector<double> noisy_line(std::size_t count, double rise, double noise) {
  RandomSeries random{3};
  std::vector<double> samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back(1 + rise * static_cast<double>(i) / static_cast<double>(count) +
                      noise * random.normal());
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

}  // namespace
}  // namespace mpsbench::stats
