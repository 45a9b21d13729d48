#include "output/page/svg_axes.hpp"

#include "output/page/svg_labels.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;

TEST(TicksOf, LiesWhereTheScalePutsIt) {
  const std::vector<Tick> ticks = ticks_of(linear_scale(0, 2, 10, 30), {0, 1, 2}, tick_count);
  ASSERT_EQ(ticks.size(), 3U);
  EXPECT_DOUBLE_EQ(ticks[1].at, 20);
  EXPECT_EQ(ticks[1].label, "1");
}

TEST(Spaced, LeavesNoLabelOnAnother) {
  std::vector<Tick> ticks;
  for (int at = 0; at < 100; at += 5) ticks.push_back({static_cast<double>(at), std::to_string(1000 + at)});
  const std::vector<Tick> kept = spaced(ticks);
  ASSERT_GT(kept.size(), 2U);
  for (std::size_t at = 1; at < kept.size(); ++at)
    EXPECT_GT(kept[at].at - kept[at - 1].at, text_width(kept[at].label));
}

TEST(Axes, AreLinesAndLabels) {
  Svg svg(100, 100, "");
  const Box box{20, 10, 90, 80};
  draw_x_axis(svg, box, {{30, "one"}, {60, "two"}}, "batch");
  draw_y_axis(svg, box, {{40, "1 ms"}}, "time");
  const std::string text = svg.finished();
  EXPECT_TRUE(contains(text, "d=\"M30 10v70M60 10v70\"")) << text;
  EXPECT_TRUE(contains(text, "d=\"M20 40h70\"")) << text;
  for (const char* words : {">one<", ">two<", ">1 ms<", ">batch<", ">time<"})
    EXPECT_TRUE(contains(text, words)) << words;
}

}  // namespace
}  // namespace mpsbench::output
