// Many tests at once.
#pragma once

#include <span>
#include <vector>

namespace mpsbench::stats {

// Holm's (1979) adjusted p-values, in the order of P_VALUES: all that are at most alpha may be called
// together, with a chance of at most alpha that even one of them is called wrongly, however the tests depend
// on each other.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace mpsbench::stats
