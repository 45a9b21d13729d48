// What can be concluded from the launches of one case.
#pragma once

#include "report/compare/compare.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace mpsbench::report {

// Returns the logarithms of the launches' medians, in the launches' order.
[[nodiscard]] std::vector<double> log_seconds(const ComparedCase& result);

// Returns AFTER minus BEFORE, in logarithms, for each launch index that both have. Only for launches that
// took turns.
using LogsByIndex = std::map<std::int64_t, double>;
[[nodiscard]] std::vector<double> turn_differences(const LogsByIndex& before, const LogsByIndex& after);
[[nodiscard]] std::vector<double> turn_differences(const ComparedCase& before, const ComparedCase& after);

[[nodiscard]] Ratio to_ratio(const stats::Difference& difference);

// Returns the smallest number of launches per side that finds a change of kEffectThresholds times the
// threshold with probability kPower, when TESTS cases are tested together. It depends on the launches' spread
// alone, not on the change that they show. So you can take that many launches, and judge once, without more
// false verdicts. Returns nullopt if more than stats::kMostLaunchesNeeded are needed.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const CaseComparison& pair, double alpha,
                                                           std::size_t tests);

// Sets the verdict and launches_needed of PAIR. Its difference (null if a side has one launch) and adjusted_p
// must be set. ALPHA is for all cases together. TESTS is the number of cases that have a difference.
void decide(CaseComparison& pair, double alpha, std::size_t tests);

}  // namespace mpsbench::report
