#include "output/text/figures.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mpsbench::output {
namespace {

using schema::Interval;

TEST(IntervalText, SaysHowFarEachSideReaches) {
  struct Row {
    double value;
    Interval interval;
    const char* text;
    const char* why = "";
  };
  for (const auto& [value, interval, text, why] :
       {Row{0.1412, {0.1402, 0.1422}, "±0.7 %"}, Row{100, {90.06, 109.94}, "±9.9 %"},
        Row{100, {90.04, 109.96}, "±10 %"}, Row{2, {1, 3}, "±50 %"},
        Row{100, {98, 103}, "±2.5 %", "one side reaches 1.5 times as far as the other"}, Row{100, {100, 100}, "±0.0 %"},
        Row{100, {99.99, 100.04}, "±0.0 %", "short sides"}, Row{100, {99.9, 100.9}, "±0.5 %", "short sides"},
        Row{354e-6, {329e-6, 431e-6}, "−7 % +22 %"}, Row{22'230, {907, 22'660}, "−>90 % +2 %"},
        Row{100, {98, 103.1}, "−2.0 % +3.1 %"}, Row{100, {100, 120}, "−0 % +20 %"},
        Row{100, {101, 120}, "−0 % +20 %", "a middle that is another one's"}, Row{1.2, {0.12, 12}, "−90 % +900 %"},
        Row{1.2, {0.11, 12.1}, "−>90 % +>900 %", "beyond a factor of ten"},
        Row{1.2, {0, std::numeric_limits<double>::infinity()}, "−>90 % +>900 %"}, Row{0, {0, 0}, "±?"}})
    EXPECT_EQ(interval_text(value, interval), text) << why;
  EXPECT_EQ(interval_text(1.2, std::nullopt), "±?");
  EXPECT_EQ(interval_text({2, Interval{1, 3}, false}), "±50 %");
  EXPECT_EQ(interval_text({2, std::nullopt, true}), "within-launch");
  EXPECT_EQ(with_interval(0.1412, Interval{0.1402, 0.1422}), "141 ms ±0.7 %");
  EXPECT_EQ(with_interval(354e-6, Interval{329e-6, 431e-6}), "354 µs −7 % +22 %");
  EXPECT_EQ(with_interval(0.1412, std::nullopt), "141 ms ±?");
  EXPECT_EQ(format_noise(0), "±0.0 %");
  EXPECT_EQ(format_noise(0.501), "±50 %");
  EXPECT_EQ(format_noise(1e9), "±>900 %");
}

TEST(IsFarNarrower, IsBelowHalf) {
  EXPECT_TRUE(is_far_narrower(0.99, 1.01, Interval{0.95, 1.05}));
  EXPECT_TRUE(is_far_narrower(0.0178, 0.0221, Interval{305e-6, 1640e-6}));
  EXPECT_FALSE(is_far_narrower(0.96, 1.04, Interval{0.95, 1.05}));
  EXPECT_FALSE(is_far_narrower(0.9, 1.1, Interval{0.95, 1.05}));
  EXPECT_FALSE(is_far_narrower(1, 1, std::nullopt));
}

TEST(FormatFactors, EndsFarFromOneAreBounds) {
  EXPECT_EQ(format_times(0.417), "0.417×");
  EXPECT_EQ(format_factors(0.25, 6.24), "0.250× … 6.24×");
  EXPECT_EQ(format_factors(0.0009, 1001), "<0.001× … >1000×");
}

TEST(FormatRate, HasFourDigits) {
  EXPECT_EQ(format_rate(226.64), "226.6");
  EXPECT_EQ(format_rate(12'345.6), "12,350");
  EXPECT_EQ(format_rate(0.83333), "0.8333");
}

TEST(SpeedWords, SayHowMuchFasterOrSlower) {
  EXPECT_EQ(speed_words(3.1), "3.1 times as fast");
  EXPECT_EQ(speed_words(0.417), "2.4 times slower");
  EXPECT_EQ(speed_words(120), "120 times as fast");
  EXPECT_EQ(speed_words(1.01), "as fast");
  EXPECT_EQ(speed_words(0.97), "as fast");
  EXPECT_EQ(speed_words(3.1, "m1"), "3.1 times as fast as m1");
  EXPECT_EQ(speed_words(0.417, "m1"), "2.4 times slower than m1");
}

}  // namespace
}  // namespace mpsbench::output
