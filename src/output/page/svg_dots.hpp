// A chart of dots with intervals, one below the other, in groups that share an axis. Each dot has its label
// and its figure above it, so that the chart can be read on a phone and without its colours.
#pragma once

#include "output/page/page_figure.hpp"
#include "output/page/svg_scale.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

struct Dot {
  std::string label;  // all texts may contain any characters
  std::string words;  // the figure as text
  Figure figure;      // above 0
  std::size_t series = 0;
};

struct DotGroup {
  std::string name;
  std::vector<std::string> common;  // what all dots have in common
  std::vector<Dot> dots;
};

struct DotAxis {
  std::string title;
  std::string (*label)(double) = nullptr;
  std::optional<double> line;  // a vertical line at this value
};

// Returns the scale of all dots, their intervals and the axis' line. It begins at 0, or it is logarithmic if
// they differ so much that small ones would lie on each other.
[[nodiscard]] Scale dot_scale(const std::vector<DotGroup>& groups, const DotAxis& axis);

// Returns the chart as SVG. GROUPS must have dots. A dot without an interval is hollow. An interval that is
// cut off ends without a cap. LABEL describes the chart for people who cannot see it.
[[nodiscard]] std::string dot_chart(const std::vector<DotGroup>& groups, const DotAxis& axis,
                                    const std::string& label);

}  // namespace mpsbench::output
