// A quantity that a chart shows as a point with its interval.
#pragma once

#include "schema/report.hpp"

#include <optional>
#include <string>

namespace mpsbench::output {

inline constexpr double kMostSpread = 3;  // intervals are drawn up to this factor above and below the figure

struct Figure {
  double value = 0;
  std::optional<schema::Interval> ci95;
};

// Returns the part of the interval that is drawn; without an interval, the value itself.
[[nodiscard]] schema::Interval drawn_interval(const Figure& figure);

// Returns RESULT's rows_per_second, or nullopt if there are none above 0.
[[nodiscard]] std::optional<Figure> rate_of(const schema::CaseResult& result);

}  // namespace mpsbench::output
