// How one quantity grows with another.
#pragma once

#include <optional>
#include <span>

namespace mpsbench::stats {

// Median of the slopes of all pairs of points (Theil and Sen): single outliers do not move it. X and Y of
// equal length; nullopt when no two X differ.
[[nodiscard]] std::optional<double> median_slope(std::span<const double> x, std::span<const double> y);

}  // namespace mpsbench::stats
