// Location and spread of a sample. Nullopt stands for "these numbers cannot say".
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

[[nodiscard]] std::optional<double> minimum(std::span<const double> samples);
[[nodiscard]] std::optional<double> maximum(std::span<const double> samples);
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

// The same, of samples that are known not to be empty.
[[nodiscard]] double mean_of(std::span<const double> samples);
[[nodiscard]] double median_of(std::span<const double> samples);

// Unbiased variance's root, in two passes; nullopt for fewer than two samples.
[[nodiscard]] std::optional<double> stddev(std::span<const double> samples);

// Linear between order statistics (type 7, NumPy's default); nullopt for no samples or a probability outside
// 0 ... 1.
[[nodiscard]] std::optional<double> quantile(std::span<const double> samples, double probability);

// As quantile, of samples already sorted and not empty; probability is cut to 0 ... 1.
[[nodiscard]] double sorted_quantile(std::span<const double> sorted, double probability);

// Least samples for which a percentile is given: the chance that none of them lies beyond it is then under
// 0.13 %.
inline constexpr std::size_t kSamplesForP90 = 64;
inline constexpr std::size_t kSamplesForP99 = 662;

[[nodiscard]] std::optional<double> p90(std::span<const double> samples);
[[nodiscard]] std::optional<double> p99(std::span<const double> samples);

}  // namespace mpsbench::stats
