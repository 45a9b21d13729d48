// How many launches a run takes to be judged against another.
#pragma once

#include "report/compare/compare.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace mpsbench::report {

// A run is looked at, and judged when it has what required_launches asks for: either at once or later. Its
// false calls are those of both looks, so that each is to be made with alpha / kLooks.
inline constexpr int kLooks = 2;

// By case id: launches that AFTER should have in all, where it has fewer; by the launches' spread, whatever
// change they show. IS_FIXED: BEFORE keeps the launches that it has, so that AFTER makes up for what it
// lacks, up to kMostAgainstFixed times as many.
using RequiredLaunches = std::map<std::string, std::int64_t>;
inline constexpr std::int64_t kMostAgainstFixed = 4;
[[nodiscard]] RequiredLaunches required_launches(const Comparison& comparison, bool is_fixed);

}  // namespace mpsbench::report
