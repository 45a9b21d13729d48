// Axes of a drawing: grid lines, labels and titles.
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

// Ticks at VALUES of SCALE; LABEL makes their labels.
[[nodiscard]] std::vector<Tick> ticks_of(const Scale& scale, const std::vector<double>& values,
                                         std::string (*label)(double));
// Returns as many of TICKS, from left to right, as fit without their labels touching.
[[nodiscard]] std::vector<Tick> spaced(const std::vector<Tick>& ticks);

// Draws labels left of BOX, lines across it, and TITLE above the labels.
void draw_y_axis(Svg& svg, const Box& box, const std::vector<Tick>& ticks, const std::string& title);
// Draws labels below BOX, vertical lines through it, and TITLE below the labels.
void draw_x_axis(Svg& svg, const Box& box, const std::vector<Tick>& ticks, const std::string& title);

}  // namespace mpsbench::output
