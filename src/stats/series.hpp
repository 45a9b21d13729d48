// What the samples of a launch show as a series: drift, settling, two levels, growth.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

// What the order of the samples shows: whether the series drifts and whether it has settled.

// Returns the share of pairs in which the sample of B is the greater one; ties count half. This is Mann and
// Whitney's U of B divided by the number of pairs. Neither series may be empty.
[[nodiscard]] double share_greater(std::span<const double> a, std::span<const double> b);

// Returns the change of the median from the first third to the last third, as a share of the whole median:
// +0.06 means 6 % slower at the end. If there are enough samples, and the change from the first tenth to the
// last is larger, returns that one. Returns nullopt if there are too few samples, or if the intervals of both
// ends overlap, so that noise may explain the change.
[[nodiscard]] std::optional<double> relative_drift(std::span<const double> samples);

// The mean of the last tenth of the samples divided by that of the first tenth: 1.06 means 6 % slower at the
// end. Unlike relative_drift, it includes noise. Nullopt for fewer than kSamplesForDriftRatio samples.
inline constexpr std::size_t kSamplesForDriftRatio = 10;
[[nodiscard]] std::optional<double> drift_ratio(std::span<const double> samples);

// True if the two halves of SAMPLES agree: their medians differ by at most TOLERANCE (relative), or their
// values are so mixed that the difference is noise. False for fewer than two samples.
[[nodiscard]] bool is_settled(std::span<const double> samples, double tolerance);

// Detects samples on two levels: if a machine switches between two speeds, no single step time describes it.
inline constexpr std::size_t kSamplesForModes = 20;

// True if the samples, in the order in which they were taken, switch back and forth between two levels. Each
// level must have at least a tenth of the samples and at least five; the levels must be 2 % apart, and far
// apart relative to their own spread; and few samples may lie between them. False for one level, however
// heavy its tail, for a drift, for a single change of level, and for fewer than kSamplesForModes samples.
[[nodiscard]] bool is_bimodal(std::span<const double> samples);

// How one quantity grows with another one.

// Returns the median of the slopes between all pairs of points (Theil and Sen), which single outliers do not
// change much. X and Y must have the same length. Returns nullopt if all values of X are equal.
[[nodiscard]] std::optional<double> median_slope(std::span<const double> x, std::span<const double> y);

}  // namespace mpsbench::stats
