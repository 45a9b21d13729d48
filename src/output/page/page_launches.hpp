// What the page shows of a case's launches: their figures, their samples in order and as histograms, and what
// sensors read.
#pragma once

#include "schema/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace mpsbench::output {

// Returns VALUE with so many significant digits, or null if it is not finite.
[[nodiscard]] nlohmann::ordered_json shortened(double value, int digits = 5);

// Returns how many points of a launch's samples are shown, so that the page stays small.
[[nodiscard]] std::size_t points_a_launch(const std::vector<schema::Report>& reports);

// Returns the positions of the values to draw: all or, of more than MOST (>= 2), the smallest and the largest
// of each stretch, in their order.
[[nodiscard]] std::vector<std::size_t> thinned(std::span<const double> values, std::size_t most);

[[nodiscard]] nlohmann::ordered_json launches_view(const schema::CaseResult& result, std::size_t most_points);

}  // namespace mpsbench::output
