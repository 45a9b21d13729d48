// How many launches a run needs for a comparison with another run.
#pragma once

#include "report/compare/compare.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace mpsbench::report {

// A run is judged once it has the launches that required_launches asks for: after the first launches or after
// the added ones. False verdicts can happen at both times, so each time uses alpha / kLooks.
inline constexpr int kLooks = 2;

// By case id, the total number of launches that AFTER should have, if it has fewer: as many as the metric
// that needs most. It depends on the launches' spread alone, not on the change that they show. IS_FIXED means
// that BEFORE gets no more launches. Then AFTER gets more instead, up to kMostAgainstFixed times as many as
// BEFORE has.
using RequiredLaunches = std::map<std::string, std::int64_t>;
inline constexpr std::int64_t kMostAgainstFixed = 4;
[[nodiscard]] RequiredLaunches required_launches(const Comparison& comparison, bool is_fixed);

}  // namespace mpsbench::report
