// Location and spread of samples. Nullopt means that the samples do not determine the value.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

[[nodiscard]] std::optional<double> minimum(std::span<const double> samples);
[[nodiscard]] std::optional<double> maximum(std::span<const double> samples);
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

// The same values for samples that the caller knows not to be empty.
[[nodiscard]] double mean_of(std::span<const double> samples);
[[nodiscard]] double median_of(std::span<const double> samples);

// Returns the square root of the unbiased variance, computed in two passes. Returns nullopt for fewer than
// two samples.
[[nodiscard]] std::optional<double> stddev(std::span<const double> samples);

// Interpolates linearly between order statistics (type 7, NumPy's default). Returns nullopt if there are no
// samples, or if the probability is outside 0 ... 1.
[[nodiscard]] std::optional<double> quantile(std::span<const double> samples, double probability);

// Like quantile, for samples that are already sorted and not empty. The probability is clamped to 0 ... 1.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double probability);

// A percentile is reported only for at least this many samples: then the chance that no sample lies beyond it
// is at most 0.13 %. PERCENT is between 0 and 100: 64 samples for 90, 662 for 99.
[[nodiscard]] std::size_t samples_for_percentile(double percent);
// Nullopt for fewer samples.
[[nodiscard]] std::optional<double> percentile(std::span<const double> samples, double percent);

}  // namespace mpsbench::stats
