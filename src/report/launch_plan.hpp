// How many launches a run takes to be judged against another.
#pragma once

#include "report/compare.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace mpsbench::report {

// By case id: launches that AFTER should have in all, where it has fewer. Decided by the launches' spread
// alone, so that the one comparison made with them has no more false calls than it says. IS_FIXED: BEFORE
// keeps the launches that it has, so that AFTER makes up for what it lacks, up to kMostAgainstFixed times as
// many.
using LaunchPlan = std::map<std::string, std::int64_t>;
inline constexpr std::int64_t kMostAgainstFixed = 4;
[[nodiscard]] LaunchPlan launch_plan(const Comparison& comparison, bool is_fixed);

}  // namespace mpsbench::report
