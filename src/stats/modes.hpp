// Two-level samples: a machine that switches between two speeds has no one step time.
#pragma once

#include <cstddef>
#include <span>

namespace mpsbench::stats {

inline constexpr std::size_t kSamplesForModes = 20;

// True when the samples, in the order they were taken, go back and forth between two levels: each holds at
// least a tenth of them and five, the levels are 2 % apart and far apart against their own spread, and little
// lies between. False for one level however heavy its tail, for a drift, for a single change of level, and
// for fewer than kSamplesForModes.
[[nodiscard]] bool is_bimodal(std::span<const double> samples);

}  // namespace mpsbench::stats
