// Corrects p-values when many tests are made together.
#pragma once

#include <span>
#include <vector>

namespace mpsbench::stats {

// Returns Holm's (1979) adjusted p-values, in the order of P_VALUES. If every change whose adjusted p-value
// is at most alpha is taken as real, the chance that even one of these verdicts is wrong is at most alpha,
// however the tests depend on each other.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace mpsbench::stats
