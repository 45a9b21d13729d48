#include "output/text/interval_text.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::output {

namespace {

using schema::Interval;

TEST(IntervalText, ReachesAlikeToBothSides) {
  EXPECT_EQ(interval_text(0.1412, Interval{0.1402, 0.1422}), "±0.7 %");
  EXPECT_EQ(interval_text(100, Interval{90.06, 109.94}), "±9.9 %");
  EXPECT_EQ(interval_text(100, Interval{90.04, 109.96}), "±10 %");
  EXPECT_EQ(interval_text(2, Interval{1, 3}), "±50 %");
  EXPECT_EQ(interval_text(100, Interval{98, 103}), "±2.5 %") << "one side reaches 1.5 times as far as the other";
  EXPECT_EQ(interval_text(100, Interval{100, 100}), "±0.0 %");
  EXPECT_EQ(interval_text(100, Interval{99.99, 100.04}), "±0.0 %") << "short sides";
  EXPECT_EQ(interval_text(100, Interval{99.9, 100.9}), "±0.5 %") << "short sides";
}

TEST(IntervalText, HasTwoSidesIfTheyDiffer) {
  EXPECT_EQ(interval_text(354e-6, Interval{329e-6, 431e-6}), "−7 % +22 %");
  EXPECT_EQ(interval_text(22'230, Interval{907, 22'660}), "−>90 % +2 %");
  EXPECT_EQ(interval_text(100, Interval{98, 103.1}), "−2.0 % +3.1 %");
  EXPECT_EQ(interval_text(100, Interval{100, 120}), "−0 % +20 %");
  EXPECT_EQ(interval_text(100, Interval{101, 120}), "−0 % +20 %") << "a middle that is another one's";
}

TEST(IntervalText, EndsBeyondAFactorOfTenAreBounds) {
  EXPECT_EQ(interval_text(1.2, Interval{0.12, 12}), "−90 % +900 %");
  EXPECT_EQ(interval_text(1.2, Interval{0.11, 12.1}), "−>90 % +>900 %");
  EXPECT_EQ(interval_text(1.2, Interval{0, std::numeric_limits<double>::infinity()}), "−>90 % +>900 %");
}

TEST(IntervalText, UnknownIsSaid) {
  EXPECT_EQ(interval_text(1.2, std::nullopt), "±?");
  EXPECT_EQ(interval_text(0, Interval{0, 0}), "±?");
}

TEST(WithInterval, FollowsTheTime) {
  EXPECT_EQ(with_interval(0.1412, Interval{0.1402, 0.1422}), "141 ms ±0.7 %");
  EXPECT_EQ(with_interval(354e-6, Interval{329e-6, 431e-6}), "354 µs −7 % +22 %");
  EXPECT_EQ(with_interval(0.1412, std::nullopt), "141 ms ±?");
}

TEST(IsFarNarrower, IsBelowHalf) {
  EXPECT_TRUE(is_far_narrower(0.99, 1.01, Interval{0.95, 1.05}));
  EXPECT_TRUE(is_far_narrower(0.0178, 0.0221, Interval{305e-6, 1640e-6}));
  EXPECT_FALSE(is_far_narrower(0.96, 1.04, Interval{0.95, 1.05}));
  EXPECT_FALSE(is_far_narrower(0.9, 1.1, Interval{0.95, 1.05}));
  EXPECT_FALSE(is_far_narrower(1, 1, std::nullopt));
}

TEST(FormatNoise, IsHalfAWidth) {
  EXPECT_EQ(format_noise(0), "±0.0 %");
  EXPECT_EQ(format_noise(0.501), "±50 %");
  EXPECT_EQ(format_noise(1e9), "±>900 %");
}

TEST(FormatFactors, EndsFarFromOneAreBounds) {
  EXPECT_EQ(format_times(0.417), "0.417×");
  EXPECT_EQ(format_factors(0.25, 6.24), "0.250× … 6.24×");
  EXPECT_EQ(format_factors(0.0009, 1001), "<0.001× … >1000×");
}

TEST(Measured, CountsLaunchesThatEndedWellAndTimedSteps) {
  schema::CaseResult result = tests::measured_case();
  result.launches.insert(result.launches.begin(), tests::bad_launch(schema::Status::crashed, "signal 11"));
  result.launches.push_back(tests::good_launch({}));
  EXPECT_EQ(timed_launches(result).size(), 2U);
  EXPECT_EQ(median_steps(timed_launches(result)), (std::vector<double>{0.25, 0.5}));
}

TEST(Measured, NeedsAFigureAndItsLaunches) {
  EXPECT_TRUE(has_figures(tests::measured_case()));
  EXPECT_FALSE(has_figures(tests::unmeasured_case()));
  schema::CaseResult result = tests::measured_case();
  result.launches.clear();
  EXPECT_FALSE(has_figures(result)) << "nothing was measured";
}

}  // namespace

}  // namespace mpsbench::output
