#include "output/page/svg.hpp"

#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

TEST(Coordinate, IsShort) {
  EXPECT_EQ(coordinate(12.34), "12.3");
  EXPECT_EQ(coordinate(-0.52), "-.5");
  EXPECT_EQ(coordinate(0.01), "0");
  EXPECT_EQ(coordinate(-0.01), "0");
  EXPECT_EQ(coordinate(100), "100");
}

TEST(Polyline, HasNoDrift) {
  EXPECT_EQ(polyline({}), "");
  EXPECT_EQ(polyline({{1, 2}}), "M1 2");
  EXPECT_EQ(polyline({{1, 2}, {3, 2}, {3, 1}, {4.5, -2}}), "M1 2h2v-1l1.5-3");
  // A single step of 0.04 is lost in rounding, but the sum of many must not be lost.
  std::vector<Point> points;
  for (int i = 0; i <= 100; ++i) points.push_back({0.04 * i, 0});
  double sum = 0;
  const std::string data = polyline(points).substr(4);
  for (std::size_t at = 0; at != std::string::npos; at = data.find('h', at + 1))
    sum += std::stod("0" + data.substr(at + 1, data.find('h', at + 1) - at - 1));
  EXPECT_NEAR(sum, 4, 1e-9);
}

TEST(Svg, EscapesWhatPeopleWrote) {
  Svg svg(10, 20, "a \"b\" <c>");
  svg.open("</title><script>");
  svg.text({1, 2}, Anchor::end, "<&>", "axis");
  svg.close();
  const std::string text = svg.finished();
  EXPECT_TRUE(contains(text, "aria-label=\"a &quot;b&quot; &lt;c&gt;\"")) << text;
  EXPECT_TRUE(contains(text, "<title>&lt;/title&gt;&lt;script&gt;</title>")) << text;
  EXPECT_TRUE(contains(text, "<text class=\"e axis\" x=\"1\" y=\"2\">&lt;&amp;&gt;</text>")) << text;
}

TEST(Svg, LeavesOutEmptyPaths) {
  Svg svg(10, 20, "");
  const std::string before = svg.finished();
  svg.path("", "line");
  EXPECT_EQ(svg.finished(), before);
  svg.path("M0 0", "line");
  EXPECT_NE(svg.finished(), before);
}

}  // namespace
}  // namespace mpsbench::output
