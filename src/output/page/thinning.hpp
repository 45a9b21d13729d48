// Reduces long series to a few points for drawing.
#pragma once

#include "output/page/svg.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace mpsbench::output {

// VALUES as points at 0, 1, 2, ... If there are more than MOST (>= 2) values, keeps only the smallest and the
// largest value of each stretch, in their order.
[[nodiscard]] std::vector<Point> thinned(std::span<const double> values, std::size_t most);

}  // namespace mpsbench::output
