#include "stats/correlation.hpp"

#include "stats/random_series.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::stats {
namespace {

// Sides of the median: -5 times, +5 times, -5 times, +5 times. Their correlations from lag 0 on are 1, 0.65,
// 0.3, -0.05, -0.4, ... The sum has the pairs 1.65 and 0.25. So the time is 2 x 1.9 - 1 = 2.8, multiplied by
// 1 + 3 x 4 lags / 20.
TEST(Correlation, FollowsTheInitialPositivePairs) {
  const std::vector<double> samples{1, 2, 3, 4, 5, 16, 17, 18, 19, 20, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const Correlation correlation = median_correlation(samples);
  EXPECT_EQ(correlation.lags, 4U);
  EXPECT_DOUBLE_EQ(correlation.time, 2.8 * 1.6);
}

TEST(Correlation, AlternatingAndConstantSeriesCountAsIndependent) {
  std::vector<double> alternating;
  for (int i = 0; i < 50; ++i) alternating.push_back(i % 2 == 0 ? 1 : 2);
  EXPECT_EQ(median_correlation(alternating).lags, 0U);
  EXPECT_EQ(median_correlation(alternating).time, 1);
  EXPECT_EQ(median_correlation(std::vector<double>(50, 1.0)).time, 1);
  EXPECT_EQ(median_correlation({}).time, 1);
}

// The sides of an AR(1) with rho 0.9 have the correlations 2/pi asin(0.9^k). Their time is 13.4: python -c
// "import numpy as np; print(1 + 4/np.pi*np.arcsin(.9**np.arange(1,400)).sum())"
TEST(Correlation, FindsTheTimeOfAnAutoregression) {
  RandomSeries random{7};
  EXPECT_NEAR(median_correlation(random.autoregressive(20000, 0.9)).time, 13.4, 2);
}

TEST(Correlation, OutliersDoNotHideIt) {
  RandomSeries random{7};
  std::vector<double> samples = random.autoregressive(2000, 0.9);
  for (std::size_t i = 0; i < samples.size(); i += 20) samples[i] += 1e6;
  EXPECT_GT(median_correlation(samples).time, 8);
}

}  // namespace
}  // namespace mpsbench::stats
