// Detects samples on two levels: if a machine switches between two speeds, no single step time describes it.
#pragma once

#include <cstddef>
#include <span>

namespace mpsbench::stats {

inline constexpr std::size_t kSamplesForModes = 20;

// True if the samples, in the order in which they were taken, switch back and forth between two levels. Each
// level must have at least a tenth of the samples and at least five; the levels must be 2 % apart, and far
// apart relative to their own spread; and few samples may lie between them. False for one level, however
// heavy its tail, for a drift, for a single change of level, and for fewer than kSamplesForModes samples.
[[nodiscard]] bool is_bimodal(std::span<const double> samples);

}  // namespace mpsbench::stats
