#include "output/page/svg_dots.hpp"

#include "output/page/page_series.hpp"
#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::count_of;

const DotAxis kAxis{"rows", tick_count, std::nullopt};

std::vector<DotGroup> group_of(const std::vector<Figure>& figures) {
  DotGroup group{"net", {"batch 4", "fp32"}, {}};
  for (const Figure& figure : figures)
    group.dots.push_back({"cpu", tick_count(figure.value), figure, group.dots.size()});
  return {group};
}

TEST(DotScale, IsLinearFromZeroOrLogarithmicForAWideRange) {
  const Scale linear = dot_scale(group_of({{10, std::nullopt}, {150, std::nullopt}}), kAxis);
  EXPECT_FALSE(linear.logarithmic);
  EXPECT_EQ(linear.low, 0);
  const Scale wide = dot_scale(group_of({{10, std::nullopt}, {250, std::nullopt}}), kAxis);
  EXPECT_TRUE(wide.logarithmic);
  const Scale lined = dot_scale(group_of({{30, std::nullopt}}), {"", tick_count, 1.0});
  EXPECT_TRUE(lined.logarithmic);
  EXPECT_EQ(lined.low, 1);
}

TEST(DotChart, PutsDotsAndIntervalEndsWhereTheAxisHasTheirValues) {
  const std::vector<DotGroup> groups = group_of({{100, schema::Interval{60, 140}}, {5000, std::nullopt}});
  const Scale scale = dot_scale(groups, kAxis);
  ASSERT_TRUE(scale.logarithmic);
  const std::string text = dot_chart(groups, kAxis, "chart");
  const double first = 20 + 2 * 13 - 13 + 20;  // below the name and one line of what is common
  EXPECT_TRUE(
      contains(text, "<path class=\"mark s0\" d=\"" + mark_at({place(scale, 100), first}, 0) + "\"/>"))
      << text;
  EXPECT_TRUE(contains(text, "<path class=\"whisker s0\" d=\"" +
                                 segment({place(scale, 60), first}, {place(scale, 140), first})))
      << text;
  EXPECT_TRUE(contains(
      text, "<path class=\"hollow mark s1\" d=\"" + mark_at({place(scale, 5000), first + 28}, 1) + "\"/>"))
      << text;
  EXPECT_EQ(count_of(text, "whisker"), 1U) << text;
  EXPECT_FALSE(contains(text, "<rect")) << "no bar on a logarithmic axis";
  for (const char* words : {">net<", ">batch 4 · fp32<", ">cpu<", ">5 k<", ">rows (logarithmic)<"})
    EXPECT_TRUE(contains(text, words)) << words << text;
}

TEST(DotChart, CutsWideIntervalsOffWithoutACap) {
  const std::vector<DotGroup> groups = group_of({{100, schema::Interval{90, 1e9}}});
  const Scale scale = dot_scale(groups, kAxis);
  EXPECT_EQ(scale.high, 300);
  const double low = place(scale, 90);
  EXPECT_TRUE(contains(dot_chart(groups, kAxis, ""),
                       segment({low, 53}, {place(scale, 300), 53}) + segment({low, 50}, {low, 56}) + "\"/>"));
}

TEST(DotChart, DrawsItsLine) {
  const std::vector<DotGroup> groups = group_of({{0.5, std::nullopt}, {2, std::nullopt}});
  const DotAxis axis{"times as fast", tick_count, 1.0};
  const std::string at = coordinate(place(dot_scale(groups, axis), 1));
  EXPECT_TRUE(contains(dot_chart(groups, axis, ""), "<path class=\"zero\" d=\"M" + at + " 0v"));
}

TEST(DotChart, ShortensTextsThatDoNotFit) {
  std::vector<DotGroup> groups = group_of({{1, std::nullopt}});
  groups[0].dots[0].label = groups[0].dots[0].words = groups[0].name = std::string(500, 'w');
  groups[0].common = std::vector<std::string>(40, "option=value");
  const std::string text = dot_chart(groups, kAxis, "");
  EXPECT_EQ(count_of(text, "w</text>"), 0U) << text;
  EXPECT_EQ(count_of(text, "w…</text>"), 3U) << text;
  EXPECT_EQ(count_of(text, "class=\"axis\""), 3U) << text;
}

}  // namespace
}  // namespace mpsbench::output
