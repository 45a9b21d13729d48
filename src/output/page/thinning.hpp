// Long series drawn with few points.
#pragma once

#include "output/page/svg.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace mpsbench::output {

// VALUES at the places 0, 1, 2, ..., or at most MOST (>= 2) points of them in their order, of which each
// stretch's least and greatest remain.
[[nodiscard]] std::vector<Point> thinned(std::span<const double> values, std::size_t most);

}  // namespace mpsbench::output
