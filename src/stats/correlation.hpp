// How far apart two samples of a series must be to be independent. Only the side of the median on which each
// sample lies counts: this is what the interval of a median needs, unlike the samples' own correlation, and
// outliers have no influence.
#pragma once

#include <cstddef>
#include <span>

namespace mpsbench::stats {

struct Correlation {
  // How many successive samples carry as much information as one independent sample. It is at least 1.
  double time = 1;
  std::size_t lags = 0;  // up to which lag correlations were summed; 0 if neighbours are independent
};

// Uses Geyer's initial monotone sequence: the correlations of neighbouring lags are summed in pairs as long
// as the pairs are positive, and no pair counts for more than the one before it. SAMPLES must be in the order
// in which they were taken.
[[nodiscard]] Correlation median_correlation(std::span<const double> samples);

}  // namespace mpsbench::stats
