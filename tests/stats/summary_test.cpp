#include "stats/summary.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace mpsbench::stats {
namespace {

// Expected values: python -c "import numpy as np; x = [3.1, 2.7, 9.4, 2.9, 3.3, 2.8, 3.0, 3.6];
// print(np.mean(x), np.std(x, ddof=1), np.quantile(x, .1), np.quantile(x, .9), np.median(x))"
const std::vector<double> kSamples{3.1, 2.7, 9.4, 2.9, 3.3, 2.8, 3.0, 3.6};

TEST(Summary, AgreesWithNumPy) {
  EXPECT_DOUBLE_EQ(*mean(kSamples), 3.85);
  EXPECT_DOUBLE_EQ(*stddev(kSamples), 2.2608468704068776);
  EXPECT_DOUBLE_EQ(*quantile(kSamples, 0.1), 2.77);
  EXPECT_DOUBLE_EQ(*quantile(kSamples, 0.9), 5.339999999999999);
  EXPECT_DOUBLE_EQ(*median(kSamples), 3.05);
  EXPECT_EQ(minimum(kSamples), 2.7);
  EXPECT_EQ(maximum(kSamples), 9.4);
}

// The one-pass textbook formula returns 0 here. The expected value is np.std([1e9+4, 1e9+7, 1e9+13, 1e9+16],
// ddof=1).
TEST(Summary, DeviationSurvivesALargeOffset) {
  EXPECT_DOUBLE_EQ(*stddev(std::vector<double>{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}), 5.477225575051661);
}

TEST(Summary, SaysNothingWithoutSamplesOrAProbability) {
  EXPECT_FALSE(mean({}));
  EXPECT_FALSE(median({}));
  EXPECT_FALSE(minimum({}));
  EXPECT_FALSE(maximum({}));
  EXPECT_FALSE(stddev(std::vector<double>{1.0}));
  EXPECT_FALSE(quantile(kSamples, -0.1));
  EXPECT_FALSE(quantile(kSamples, 1.1));
  EXPECT_EQ(quantile(kSamples, 0), 2.7);
  EXPECT_EQ(quantile(kSamples, 1), 9.4);
}

TEST(Summary, PercentilesNeedEnoughSamples) {
  std::vector<double> samples(663);
  std::iota(samples.begin(), samples.end(), 0.0);
  const std::span<const double> all{samples};
  EXPECT_EQ(samples_for_percentile(50), 10U);
  EXPECT_EQ(samples_for_percentile(10), 64U) << "as for 90";
  EXPECT_EQ(samples_for_percentile(99.9), 6643U);
  EXPECT_FALSE(percentile(all.first(63), 90));
  EXPECT_DOUBLE_EQ(*percentile(all.first(64), 90), 0.9 * 63);
  EXPECT_FALSE(percentile(all.first(661), 99));
  EXPECT_DOUBLE_EQ(*percentile(all.first(662), 99), 0.99 * 661);
}

}  // namespace
}  // namespace mpsbench::stats
