// The step times of a case's launches as they were taken.
#pragma once

#include "schema/report.hpp"

#include <cstddef>
#include <string>

namespace mpsbench::output {

// SVG, with at most MOST_POINTS a launch; empty where RESULT has no launch. Warm-up is shaded, and launches
// whose machine was slowed down are marked.
[[nodiscard]] std::string timeline_chart(const schema::CaseResult& result, std::size_t most_points);

}  // namespace mpsbench::output
