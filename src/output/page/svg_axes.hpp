// Axes of a drawing: grid lines, labels and what they measure.
#pragma once

#include "output/page/svg.hpp"
#include "output/page/svg_scale.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

inline constexpr double kChartWidth = 360;

struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

struct Tick {
  double at = 0;  // place in the drawing
  std::string label;
};

// TICKS of SCALE, labelled by LABEL.
[[nodiscard]] std::vector<Tick> ticks_of(const Scale& scale, const std::vector<double>& values,
                                         std::string (*label)(double));
// Those of TICKS, from left to right, whose labels do not touch.
[[nodiscard]] std::vector<Tick> spaced(const std::vector<Tick>& ticks);

// Labels left of BOX, lines across it, and TITLE above them.
void draw_y_axis(Svg& svg, const Box& box, const std::vector<Tick>& ticks, const std::string& title);
// Labels below BOX, lines up through it, and TITLE under them.
void draw_x_axis(Svg& svg, const Box& box, const std::vector<Tick>& ticks, const std::string& title);

}  // namespace mpsbench::output
