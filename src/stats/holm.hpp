// Corrects p-values when many tests are made together.
#pragma once

#include <span>
#include <vector>

namespace mpsbench::stats {

// Holm's (1979) adjusted p-values, in the order of P_VALUES. If you call every change whose adjusted p-value
// is at most alpha, the chance that even one of these calls is wrong is at most alpha, however the tests
// depend on each other.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace mpsbench::stats
