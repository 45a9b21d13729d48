// A chart of figures against a number such as the batch size. Both axes are logarithmic.
#pragma once

#include "output/page/page_figure.hpp"
#include "output/page/page_series.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::output {

using Line = std::map<std::int64_t, Figure>;  // figures by their place on the axis

struct Curves {
  std::string title;                    // "resnet50, train"
  std::string figure;                   // "time a step"
  std::string unit;                     // of the figures: "s"
  std::string axis;                     // "batch size"
  std::string axis_word;                // "batch", before a number
  bool has_ideal = false;               // draw where each line would be if figures grew as their place does
  std::map<std::size_t, Line> lines{};  // by number of the series
};

// Whether a line has two points.
[[nodiscard]] bool has_curve(const Curves& curves);

// Returns the member of PANELS that has EMPTY's title; adds EMPTY if there is none.
[[nodiscard]] Curves& panel_named(std::vector<Curves>& panels, const Curves& empty);

// Returns the chart and a table of its figures.
[[nodiscard]] std::string chart_of(const Curves& curves, const SeriesNames& names);

}  // namespace mpsbench::output
