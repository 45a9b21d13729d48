#include "output/text/interval_text.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using schema::Interval;

TEST(FormatNoise, HasTwoDigitsAndAnUpperEnd) {
  EXPECT_EQ(format_noise(0), "±0.0 %");
  EXPECT_EQ(format_noise(0.0994), "±9.9 %");
  EXPECT_EQ(format_noise(0.0996), "±10 %");
  EXPECT_EQ(format_noise(0.5), "±50 %");
  EXPECT_EQ(format_noise(0.501), "±>50 %");
  EXPECT_EQ(format_noise(1e9), "±>50 %");
}

TEST(FormatRange, HasOneUnitIfItSuitsBothTimes) {
  EXPECT_EQ(format_range(0.91, 2.72), "0.91–2.72 s");
  EXPECT_EQ(format_range(0.000'45, 0.001'2), "0.45–1.20 ms");
  EXPECT_EQ(format_range(12e-9, 71e-9), "12.0–71.0 ns");
  EXPECT_EQ(format_range(0.036, 0.141), "36–141 ms");
  EXPECT_EQ(format_range(0.0123, 2.72), "12.3 ms – 2.72 s") << "too far apart";
  EXPECT_EQ(format_range(50, 75), "50.0 s – 1 min 15 s") << "minutes have two units";
  EXPECT_EQ(format_range(0, 0.002), "0 ns – 2.00 ms");
}

TEST(WithInterval, ShowsIntervalsUpToHalfTheTime) {
  EXPECT_EQ(with_interval(0.1412, Interval{0.1402, 0.1422}, {0.14, 0.142}), "141 ms ±0.7 %");
  EXPECT_EQ(with_interval(2, Interval{1, 3}, {1.5, 2.5}), "2.00 s ±50 %");
  EXPECT_EQ(with_interval(0.1412, std::nullopt, {0.14, 0.142}), "141 ms ±?");
}

TEST(WithInterval, ShowsTheLaunchesRangeInsteadOfAWiderOne) {
  EXPECT_EQ(with_interval(1.2, Interval{0.1, 9}, {1.2, 2.72, 0.91}), "0.91–2.72 s, 3 launches");
  EXPECT_EQ(with_interval(1.2, Interval{0.4, 2.1}, {1.2}), "0.40–2.10 s")
      << "of one launch: the interval's ends";
  EXPECT_EQ(with_interval(1.2, Interval{0.4, 2.1}, {}), "0.40–2.10 s");
}

TEST(FormatFactors, EndsFarFromOneAreBounds) {
  EXPECT_EQ(format_times(0.417), "0.417×");
  EXPECT_EQ(format_factors(0.25, 6.24), "0.250× … 6.24×");
  EXPECT_EQ(format_factors(0.0009, 1001), "<0.001× … >1000×");
}

}  // namespace
}  // namespace mpsbench::output
