#include "stats/interval.hpp"

#include "stats/random_series.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace mpsbench::stats {

namespace {

// python -c "from scipy import stats; print(stats.t.ppf(.975, 4.5), stats.t.ppf(.9995, 4),
// 2*stats.t.sf(2.5, 7.3))"
TEST(Student, AgreesWithSciPy) {
  EXPECT_NEAR(student_factor(4.5, 0.95), 2.6589123472044034, 1e-9);
  EXPECT_NEAR(student_factor(4, 0.999), 8.610301581379522, 1e-9);
  EXPECT_NEAR(student_two_sided(7.3, -2.5), 0.03965023466560043, 1e-9);
}

TEST(Student, FactorAndTailsAreEachOthersReverse) {
  for (const double freedom : {1.0, 2.7, 30.0, 1e6}) {
    EXPECT_NEAR(student_two_sided(freedom, student_factor(freedom, 0.99)), 0.01, 1e-12) << freedom;
  }
}

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
  for (const std::vector<double>& samples : {alternating, std::vector<double>(50, 1.0), {}}) {
    EXPECT_EQ(median_correlation(samples).lags, 0U);
    EXPECT_EQ(median_correlation(samples).time, 1);
  }
}

// The sides of an AR(1) with rho 0.9 have the correlations 2/pi asin(0.9^k). Their time is 13.4: python -c
// "import numpy as np; print(1 + 4/np.pi*np.arcsin(.9**np.arange(1,400)).sum())"
TEST(Correlation, FindsTheTimeOfAnAutoregressionDespiteOutliers) {
  EXPECT_NEAR(median_correlation(RandomSeries{7}.autoregressive(20000, 0.9)).time, 13.4, 2);
  std::vector<double> samples = RandomSeries{7}.autoregressive(2000, 0.9);
  for (std::size_t i = 0; i < samples.size(); i += 20) samples[i] += 1e6;
  EXPECT_GT(median_correlation(samples).time, 8);
}

// python -c "import numpy as np; from scipy import stats; h = stats.t.ppf(.975, 9)*np.sqrt(.25/10);
// x = [12, 15, 11, 19, 13, 18, 10, 17, 14, 16]; print(np.quantile(x, .5-h), np.quantile(x, .5+h))"
TEST(MedianInterval, IndependentSamplesGiveStudentsBandOfRanks) {
  const auto interval = median_interval(std::vector<double>{12, 15, 11, 19, 13, 18, 10, 17, 14, 16});
  EXPECT_DOUBLE_EQ(interval->median, 14.5);
  EXPECT_NEAR(interval->low, 11.280893923132009, 1e-9);
  EXPECT_NEAR(interval->high, 17.71910607686799, 1e-9);
  EXPECT_NEAR(interval->relative_half_width(), 3.21910607686799 / 14.5, 1e-9);
}

TEST(MedianInterval, NeedsFiveFiniteSamples) {
  EXPECT_FALSE(median_interval(std::vector<double>{1, 2, 3, 4}));
  EXPECT_TRUE(median_interval(std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(median_interval(std::vector<double>{1, 2, 3, 4, std::numeric_limits<double>::quiet_NaN()}));
  const auto constant = median_interval(std::vector<double>(12, 2.0));
  EXPECT_EQ(constant->low, 2);
  EXPECT_EQ(constant->high, 2);
  EXPECT_EQ(constant->relative_half_width(), 0);
}

using Draw = std::function<std::vector<double>(RandomSeries&, std::size_t)>;

// The share of 1,000 seeded series whose interval contains the true median. Its standard error is 0.7 %. If
// the true coverage (12,000 series, NumPy) was 93 ... 97 %, this is tested with a margin of 1.4 %. If few
// samples cannot reveal their correlation, only a lower bound is tested.
struct Coverage {
  const char* name;
  std::size_t samples;
  double truth;
  double least, most;
  Draw draw;
};

Draw independent(double (RandomSeries::*value)()) {
  return [value](RandomSeries& random, std::size_t count) {
    return RandomSeries::independent(count, [&] { return (random.*value)(); });
  };
}

Draw autoregressive(double rho) {
  return [rho](RandomSeries& random, std::size_t count) { return random.autoregressive(count, rho); };
}

class MedianIntervalCoverage : public testing::TestWithParam<Coverage> {};

TEST_P(MedianIntervalCoverage, IsNinetyFivePercent) {
  constexpr int kSeries = 1000;
  const Coverage& param = GetParam();
  RandomSeries random{20};
  int held = 0;
  for (int i = 0; i < kSeries; ++i) {
    const auto interval = median_interval(param.draw(random, param.samples));
    held += static_cast<int>(interval->low <= param.truth && param.truth <= interval->high);
  }
  const double share = static_cast<double>(held) / kSeries;
  RecordProperty("coverage", std::to_string(share));
  EXPECT_GE(share, param.least);
  EXPECT_LE(share, param.most);
}

INSTANTIATE_TEST_SUITE_P(
    Series, MedianIntervalCoverage,
    testing::Values(Coverage{"normal10", 10, 0, 0.93, 0.99, independent(&RandomSeries::normal)},
                    Coverage{"normal20", 20, 0, 0.93, 0.985, independent(&RandomSeries::normal)},
                    Coverage{"normal200", 200, 0, 0.93, 0.975, independent(&RandomSeries::normal)},
                    Coverage{"student3of20", 20, 0, 0.93, 0.985, independent(&RandomSeries::student3)},
                    Coverage{"student3of200", 200, 0, 0.93, 0.975, independent(&RandomSeries::student3)},
                    Coverage{"lognormal200", 200, 1, 0.93, 0.975, independent(&RandomSeries::lognormal)},
                    Coverage{"half50", 50, 0, 0.92, 0.975, autoregressive(0.5)},
                    Coverage{"half200", 200, 0, 0.93, 0.975, autoregressive(0.5)},
                    Coverage{"nine50", 50, 0, 0.87, 0.975, autoregressive(0.9)},
                    Coverage{"nine200", 200, 0, 0.92, 0.97, autoregressive(0.9)},
                    Coverage{"nine400", 400, 0, 0.93, 0.97, autoregressive(0.9)}),
    [](const auto& test) { return std::string{test.param.name}; });

// python -c "import numpy as np; from scipy import stats; l = np.log([1.00, 1.03, 1.01]);
// h = stats.t.ppf(.975, 2)*np.std(l, ddof=1)/np.sqrt(3); print(np.exp(l.mean()-h), np.exp(l.mean()+h))"
TEST(LaunchesInterval, IsStudentsOverLogs) {
  const std::vector<double> medians{1.00, 1.03, 1.01};
  const auto interval = launches_interval(medians, std::vector<double>{0.001, 0.001, 0.001});
  EXPECT_DOUBLE_EQ(interval->median, 1.01);
  EXPECT_NEAR(interval->low, 0.9760983602632831, 1e-12);
  EXPECT_NEAR(interval->high, 1.0518298279759675, 1e-12);
}

TEST(LaunchesInterval, IsNeverNarrowerThanTheLaunchesTell) {
  const auto interval = launches_interval(std::vector<double>(4, 2.0), std::vector<double>{0.1, 0.2, 0.3, 0.2});
  EXPECT_DOUBLE_EQ(interval->low, 2.0 / 1.05);
  EXPECT_DOUBLE_EQ(interval->high, 2.1);
  const auto wide = launches_interval(std::vector<double>{0.01, 0.011}, std::vector<double>{0.5, 0.4});
  EXPECT_GT(wide->low, 0) << "times are positive";
  EXPECT_GT(wide->high, 0.3);
}

TEST(LaunchesInterval, ContainsTheMedianOfLopsidedLaunches) {
  std::vector<double> medians(40, 1.0);
  for (std::size_t i = 0; i < 19; ++i) medians[i] = 8.0;
  const auto interval = launches_interval(medians, {});
  EXPECT_EQ(interval->median, 1);
  EXPECT_LE(interval->low, 1);
  EXPECT_GT(interval->high, 3);
}

TEST(LaunchesInterval, OfOneLaunchIsItsOwn) {
  const std::vector<double> one{2.0};
  EXPECT_FALSE(launches_interval({}, {}));
  EXPECT_FALSE(launches_interval(one, {}));
  EXPECT_FALSE(launches_interval(std::vector<double>{0.0, 1.0}, {})) << "0 has no logarithm";
  const auto interval = launches_interval(one, std::vector<double>{0.25});
  EXPECT_DOUBLE_EQ(interval->low, 2.0 / 1.125);
  EXPECT_DOUBLE_EQ(interval->high, 2.25);
  EXPECT_DOUBLE_EQ(next_launch_interval(one, std::vector<double>{0.25})->high, 2 * (1 + 0.125 * std::sqrt(3.0)))
      << "the next one has its noise thrice";
}

// Returns the share of further launches inside the interval of COUNT launches. Each launch keeps the share
// KEPT of the deviation of the one before it.
double held_share(int count, double kept) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, 0.03);
  constexpr int kTries = 4000;
  int held = 0;
  for (int i = 0; i < kTries; ++i) {
    std::vector<double> launches;
    double deviation = 0;
    for (int k = 0; k < count; ++k) launches.push_back(std::exp(deviation = kept * deviation + normal(random)));
    const double next = std::exp(kept * deviation + normal(random));
    const auto interval = next_launch_interval(launches, {});
    held += interval->low <= next && next <= interval->high ? 1 : 0;
  }
  return static_cast<double>(held) / kTries;
}

TEST(NextLaunchInterval, HoldsOneFurtherLaunchWhereTheMachineWanders) {
  for (const int count : {3, 5, 10}) {
    EXPECT_NEAR(held_share(count, 1), 0.965, 0.015) << count;
    EXPECT_GT(held_share(count, 0.5), 0.95) << count;
  }
  EXPECT_NEAR(held_share(3, 0), 0.970, 0.012) << "the interval is wider than needed if the machine does not wander";
}

TEST(MeanHalfWidth, OfIndependentSamplesIsStudents) {
  const std::vector<double> samples{1, 3, 2, 5, 4, 3, 2, 4};  // sd 1.3093, t(7) 2.36462
  EXPECT_NEAR(mean_half_width(samples).value(), 2.36462 * 1.309307 / std::sqrt(8.0), 1e-3);
  EXPECT_EQ(mean_half_width(std::vector<double>(4, 1.0)), std::nullopt);
}

}  // namespace

}  // namespace mpsbench::stats
