// What the launches of one case allow to say of it.
#pragma once

#include "report/compare.hpp"

#include <cstddef>
#include <vector>

namespace mpsbench::report {

// The launches' medians as logs, in their order.
[[nodiscard]] std::vector<double> log_seconds(const ComparedCase& result);

[[nodiscard]] Ratio to_ratio(const stats::Difference& difference);

// Sets verdict and launches_needed of a pair; its difference (null where a side has one launch) and
// adjusted_p are set. TESTS: cases that have a difference.
void decide(CaseComparison& pair, const CompareRules& rules, std::size_t tests);

}  // namespace mpsbench::report
