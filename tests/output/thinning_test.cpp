#include "output/page/thinning.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

TEST(Thinned, KeepsShortSeriesWhole) {
  const std::vector<double> values{3, 1, 2};
  const std::vector<Point> points = thinned(values, 3);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[2].x, 2);
  EXPECT_EQ(points[2].y, 2);
  EXPECT_TRUE(thinned({}, 5).empty());
}

TEST(Thinned, KeepsEveryStretchsExtremesInOrder) {
  std::vector<double> values(1000, 1);
  values[333] = 9;
  values[334] = 0.5;
  values[999] = 7;
  const std::vector<Point> points = thinned(values, 100);
  EXPECT_LE(points.size(), 100U);
  double high = 0;
  double low = 1;
  for (std::size_t at = 0; at < points.size(); ++at) {
    high = std::max(high, points[at].y);
    low = std::min(low, points[at].y);
    if (at > 0) {
      EXPECT_LT(points[at - 1].x, points[at].x);
    }
    EXPECT_EQ(points[at].y, values[static_cast<std::size_t>(points[at].x)]);
  }
  EXPECT_EQ(high, 9);
  EXPECT_EQ(low, 0.5);
  EXPECT_EQ(points.back().y, 7);
}

}  // namespace
}  // namespace mpsbench::output
