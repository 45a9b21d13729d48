// What the order of the samples shows: whether the series drifts and whether it has settled.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

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

}  // namespace mpsbench::stats
