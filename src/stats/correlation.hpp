// How far a series remembers itself, seen through the side of its median on which each sample lies: unlike
// the samples' own correlation this is what a median's interval needs, and no outlier can move it.
#pragma once

#include <cstddef>
#include <span>

namespace mpsbench::stats {

struct Correlation {
  double time = 1;       // successive samples that carry as much as one independent one; at least 1
  std::size_t lags = 0;  // how far correlation was followed; 0 when neighbours are independent
};

// Geyer's initial monotone sequence: correlations of neighbouring lags are summed in pairs for as long as the
// pairs stay positive, none counting for more than the one before. SAMPLES in the order they were taken.
[[nodiscard]] Correlation median_correlation(std::span<const double> samples);

}  // namespace mpsbench::stats
