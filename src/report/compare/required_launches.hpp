// How many launches a run needs for a comparison with another run, and how many one with a time limit may
// have.
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

// A case of a run that is planned for a time limit gets PlannedCase's usual number of launches, and more up
// to this number if there is time. Further launches would hardly narrow its interval.
inline constexpr std::int64_t kMostPlanned = 20;

}  // namespace mpsbench::report
