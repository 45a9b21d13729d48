// What the order of samples says: drift, whether a series has settled.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mpsbench::stats {

// Share of pairs in which the sample of B is the greater, ties counting half: Mann and Whitney's U of B over
// the number of pairs. Neither may be empty.
[[nodiscard]] double share_greater(std::span<const double> a, std::span<const double> b);

// Change of the median from the first third to the last, or from the first tenth to the last where there are
// samples enough and it is larger, as a share of the whole median: +0.06 is 6 % slower at the end. Nullopt
// when there are too few samples or the ends' intervals overlap, so that noise may explain the change.
[[nodiscard]] std::optional<double> relative_drift(std::span<const double> samples);

// True when the two halves of SAMPLES tell the same story: their medians differ by no more than TOLERANCE
// (relative), or their values are so mixed that the difference is noise. False for fewer than two.
[[nodiscard]] bool is_settled(std::span<const double> samples, double tolerance);

}  // namespace mpsbench::stats
