// How one quantity grows with another one.
#pragma once

#include <optional>
#include <span>

namespace mpsbench::stats {

// Returns the median of the slopes between all pairs of points (Theil and Sen), which single outliers do not
// change much. X and Y must have the same length. Returns nullopt if all values of X are equal.
[[nodiscard]] std::optional<double> median_slope(std::span<const double> x, std::span<const double> y);

}  // namespace mpsbench::stats
