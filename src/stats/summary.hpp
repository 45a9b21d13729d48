// Location and spread of samples. Nullopt means that the samples do not determine the value.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::stats {

[[nodiscard]] std::optional<double> minimum(std::span<const double> samples);
[[nodiscard]] std::optional<double> maximum(std::span<const double> samples);
[[nodiscard]] std::optional<double> mean(std::span<const double> samples);
[[nodiscard]] std::optional<double> median(std::span<const double> samples);

// The same values for samples that the caller knows not to be empty.
[[nodiscard]] double mean_of(std::span<const double> samples);
[[nodiscard]] double median_of(std::span<const double> samples);

// The square root of the unbiased variance, in two passes. Nullopt for fewer than two samples.
[[nodiscard]] std::optional<double> stddev(std::span<const double> samples);

// Interpolates linearly between order statistics (type 7, NumPy's default). Nullopt without samples, or if the
// probability is outside 0 ... 1.
[[nodiscard]] std::optional<double> quantile(std::span<const double> samples, double probability);

// Like quantile, for samples that are already sorted and not empty. The probability is clamped to 0 ... 1.
[[nodiscard]] double sorted_quantile(std::span<const double> values, double probability);
[[nodiscard]] std::vector<double> sorted(std::span<const double> samples);

// A percentile is reported only for at least this many samples: then the chance that no sample lies beyond it
// is at most 0.13 %. PERCENT is between 0 and 100: 64 samples for 90, 662 for 99.
[[nodiscard]] std::size_t samples_for_percentile(double percent);
// Nullopt for fewer samples.
[[nodiscard]] std::optional<double> percentile(std::span<const double> samples, double percent);

// What the samples of a launch show as a series: drift, settling, two levels, growth.

// The share of pairs in which the sample of B is the greater one; ties count half. This is Mann and
// Whitney's U of B divided by the number of pairs. Neither series may be empty.
[[nodiscard]] double share_greater(std::span<const double> a, std::span<const double> b);

// The change of the median from the first third to the last third or, if there are enough samples and it is
// larger, from the first tenth to the last, as a share of the whole median: +0.06 means 6 % slower at the end.
// Nullopt for too few samples, or if the intervals of both ends overlap, so that noise may explain the change.
[[nodiscard]] std::optional<double> relative_drift(std::span<const double> samples);

// The mean of the last tenth of the samples divided by that of the first tenth: 1.06 means 6 % slower at the
// end. Unlike relative_drift, it includes noise. Nullopt for fewer than kSamplesForDriftRatio samples.
inline constexpr std::size_t kSamplesForDriftRatio = 10;
[[nodiscard]] std::optional<double> drift_ratio(std::span<const double> samples);

// True if the two halves of SAMPLES agree: their medians differ by at most TOLERANCE (relative), or their
// values are so mixed that the difference is noise. False for fewer than two samples.
[[nodiscard]] bool is_settled(std::span<const double> samples, double tolerance);

inline constexpr std::size_t kSamplesForModes = 20;

// True if the samples, in the order in which they were taken, switch back and forth between two levels. Each
// level must have at least a tenth of the samples and at least five; the levels must be 2 % apart, and far
// apart relative to their own spread; and few samples may lie between them. False for one level, however
// heavy its tail, for a drift, for a single change of level, and for fewer than kSamplesForModes samples.
[[nodiscard]] bool is_bimodal(std::span<const double> samples);

// The median of the slopes between all pairs of points (Theil and Sen), which single outliers do not change much.
// X and Y must have the same length. Nullopt if all values of X are equal.
[[nodiscard]] std::optional<double> median_slope(std::span<const double> x, std::span<const double> y);

}  // namespace mpsbench::stats
