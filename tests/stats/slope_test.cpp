#include "stats/slope.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::stats {
namespace {

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
