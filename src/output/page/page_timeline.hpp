// The step times of a case's launches in the order in which they were taken.
#pragma once

#include "schema/report.hpp"

#include <cstddef>
#include <string>

namespace mpsbench::output {

// Returns the chart as SVG, with at most MOST_POINTS per launch, or an empty text if RESULT has no launches.
// Warm-up is shaded, and launches during which the machine was slowed down are marked.
[[nodiscard]] std::string timeline_chart(const schema::CaseResult& result, std::size_t most_points);

}  // namespace mpsbench::output
