#include "stats/random_series.hpp"
#include "stats/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>
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

TEST(Drift, IsTheChangeBetweenTheEnds) {
  std::vector<double> rising;
  for (int i = 0; i < 30; ++i) rising.push_back(100 + i);
  std::vector<double> slow_end = noisy_line(1000, 0, 0.02);
  for (std::size_t i = 900; i < 1000; ++i) slow_end[i] *= 1.4;
  std::vector<double> new_level(60, 1.0);
  for (std::size_t i = 30; i < 60; ++i) new_level[i] = 1.3;
  EXPECT_DOUBLE_EQ(*relative_drift(rising), 20 / 114.5) << "between thirds";
  EXPECT_NEAR(*relative_drift(noisy_line(200, 0.15, 0.02)), 0.135 / 1.075, 0.015);
  EXPECT_NEAR(*relative_drift(noisy_line(200, -0.15, 0.02)), -0.135 / 0.925, 0.015);
  EXPECT_NEAR(*relative_drift(slow_end), 0.4, 0.02);
  EXPECT_NEAR(*relative_drift(new_level), 0.3 / 1.15, 1e-12);
  EXPECT_FALSE(relative_drift(noisy_line(200, 0, 0.02)));
  EXPECT_FALSE(relative_drift(std::span<const double>{rising}.first(14)));
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

TEST(Settled, WhenHalvesAgreeOrNoiseMixesThem) {
  const std::pair<std::vector<double>, bool> rows[] = {{{1.00, 1.01}, true},
                                                       {{1.03, 1.00}, false},
                                                       {{1.00}, false},
                                                       {{5, 4, 3, 2.5, 2.2, 2.1}, false},
                                                       {{2.01, 2.02, 2.00, 2.01, 2.00, 2.02}, true},
                                                       {{1.0, 1.3, 0.9, 1.2, 0.9, 1.2, 1.0, 0.8}, true}};
  for (const auto& [samples, settled] : rows) EXPECT_EQ(is_settled(samples, 0.02), settled) << samples.front();
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

TEST(Modes, AreLevelsBetweenWhichASeriesSwitches) {
  using DrawOne = std::function<double(RandomSeries&, int)>;
  const auto two_levels = [](double share) -> DrawOne {
    return
        [share](RandomSeries& random, int) { return (random.uniform() < share ? 1.3 : 1.0) + 0.02 * random.normal(); };
  };
  const DrawOne stays = [](RandomSeries& random, int i) {
    return (i / 25 % 2 == 0 ? 1 : 1.2) + 0.01 * random.normal();
  };
  const DrawOne normal = [](RandomSeries& random, int) { return 1 + 0.1 * random.normal(); };
  const DrawOne spikes = [](RandomSeries& random, int) {
    return random.uniform() < 0.12 ? std::pow(random.uniform(), -1 / 1.5) : 1 + 0.01 * random.normal();
  };
  const struct {
    const char* what;
    DrawOne draw;
    int samples, least, most;
  } rows[] = {
      {"two noisy levels", two_levels(0.5), 60, 98, kSeries},
      {"a rarer level", two_levels(0.2), 200, 98, kSeries},
      {"rare outliers", two_levels(0.03), 200, 0, 0},
      {"long stays on each level", stays, 100, kSeries, kSeries},
      {"normal", normal, 200, 0, 0},
      {"few normal", normal, 20, 0, 1},
      {"uniform", [](RandomSeries& random, int) { return 1 + random.uniform(); }, 200, 0, 0},
      {"lognormal", [](RandomSeries& random, int) { return random.lognormal(); }, 200, 0, 0},
      {"heavy tails", [](RandomSeries& random, int) { return 10 + random.student3(); }, 200, 0, 0},
      {"spikes", spikes, 200, 0, 2},
      {"drift", [](RandomSeries& random, int i) { return 1 + 0.01 * i + 0.01 * random.normal(); }, 100, 0, 0},
      {"one change", [](RandomSeries& random, int i) { return (i < 50 ? 1 : 1.3) + 0.01 * random.normal(); }, 100, 0,
       0},
      {"ticks of a clock", [](RandomSeries& random, int) { return random.uniform() < 0.5 ? 1.0 : 1.01; }, 100, 0, 0}};
  for (const auto& row : rows) {
    const int count = count_bimodal(row.draw, row.samples);
    EXPECT_GE(count, row.least) << row.what;
    EXPECT_LE(count, row.most) << row.what;
  }
  EXPECT_FALSE(is_bimodal(std::vector<double>(19, 1.0)));
}

TEST(MedianSlope, IsThatOfMostPairs) {
  EXPECT_DOUBLE_EQ(median_slope(std::vector{1.0, 2.0, 5.0}, std::vector{3.0, 5.0, 11.0}).value(), 2.0);
  const std::vector<double> x{0, 1, 2, 3, 4, 5, 6};
  const std::vector<double> y{0, 1, 2, 300, 4, 5, 6};
  EXPECT_DOUBLE_EQ(median_slope(x, y).value(), 1.0) << "an outlier";
  EXPECT_EQ(median_slope({}, {}), std::nullopt);
  EXPECT_EQ(median_slope(std::vector{1.0, 1.0}, std::vector{1.0, 2.0}), std::nullopt);
}

}  // namespace

}  // namespace mpsbench::stats
