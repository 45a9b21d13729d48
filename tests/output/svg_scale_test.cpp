#include "output/page/svg_scale.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mpsbench::output {
namespace {

using Values = std::vector<double>;

TEST(Place, IsLinearOrLogarithmic) {
  EXPECT_DOUBLE_EQ(place(linear_scale(10, 20, 0, 100), 12.5), 25);
  EXPECT_DOUBLE_EQ(place(linear_scale(10, 20, 100, 0), 12.5), 75);
  EXPECT_DOUBLE_EQ(place(log_scale(1, 100, 0, 10), 10), 5);
}

TEST(Place, PutsStrangeNumbersOnTheEdge) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Scale& scale : {linear_scale(-infinity, infinity, 0, 10), log_scale(0, infinity, 0, 10),
                             linear_scale(std::nan(""), 1, 0, 10), log_scale(-1, std::nan(""), 0, 10),
                             linear_scale(1e308, -1e308, 0, 10), linear_scale(0, 0, 0, 10)}) {
    for (const double value : {0.0, -1.0, 1e308, -1e308, infinity, -infinity, std::nan("")}) {
      EXPECT_GE(place(scale, value), 0);
      EXPECT_LE(place(scale, value), 10);
    }
    for (const double tick : round_ticks(scale, 6)) EXPECT_TRUE(std::isfinite(tick));
    EXPECT_LE(round_ticks(scale, 6).size(), 7U);
  }
}

TEST(Scales, AreNeverEmpty) {
  const Scale linear = linear_scale(5, 5, 0, 10);
  EXPECT_NEAR(place(linear, 5), 5, 1e-9);
  const Scale logarithmic = log_scale(5, 5, 0, 10);
  EXPECT_NEAR(place(logarithmic, 5), 5, 1e-9);
}

void expect_ticks(const Scale& scale, std::size_t most, const Values& expected) {
  const Values ticks = round_ticks(scale, most);
  ASSERT_EQ(ticks.size(), expected.size());
  for (std::size_t at = 0; at < ticks.size(); ++at) EXPECT_NEAR(ticks[at], expected[at], 1e-9 * expected[at]);
}

TEST(RoundTicks, AreRound) {
  expect_ticks(linear_scale(0.9, 5.2, 0, 1), 5, {1, 2, 3, 4, 5});
  expect_ticks(linear_scale(103, 127, 0, 1), 5, {105, 110, 115, 120, 125});
  expect_ticks(log_scale(0.8, 60, 0, 1), 7, {1, 2, 5, 10, 20, 50});
  expect_ticks(log_scale(1, 1000, 0, 1), 7, {1, 3, 10, 30, 100, 300, 1000});
  expect_ticks(log_scale(1, 1e6, 0, 1), 7, {1, 10, 100, 1e3, 1e4, 1e5, 1e6});
  expect_ticks(log_scale(110, 190, 0, 1), 4, {120, 140, 160, 180});
}

TEST(Ticks, HaveShortLabels) {
  EXPECT_EQ(tick_time(0.02), "20 ms");
  EXPECT_EQ(tick_time(0.126805), "126.805 ms");
  EXPECT_EQ(tick_time(7200), "7200 s");
  EXPECT_EQ(tick_time(5e-7), "500 ns");
  EXPECT_EQ(tick_time(0), "0");
  EXPECT_EQ(tick_count(5e13), "50 T");
  EXPECT_EQ(tick_count(51'159'136'378'366.4), "51.2 T");
  EXPECT_EQ(tick_count(0.5), "0.5");
}

}  // namespace
}  // namespace mpsbench::output
