// What the launches of one case allow to say of it.
#pragma once

#include "report/compare/compare.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace mpsbench::report {

// The launches' medians as logs, in their order.
[[nodiscard]] std::vector<double> log_seconds(const ComparedCase& result);

// AFTER less BEFORE, of logs by the launch's index, where both have one: they took turns.
using LogsByIndex = std::map<std::int64_t, double>;
[[nodiscard]] std::vector<double> turn_differences(const LogsByIndex& before, const LogsByIndex& after);
[[nodiscard]] std::vector<double> turn_differences(const ComparedCase& before, const ComparedCase& after);

[[nodiscard]] Ratio to_ratio(const stats::Difference& difference);

// Least launches on each side with which a change of kEffectThresholds thresholds is called with probability
// kPower, were the pair one of TESTS. By the launches' spread alone, not by the change that they show: so
// many may be taken, and then judged once, without more false calls. Nullopt: more than
// stats::kMostLaunchesNeeded.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const CaseComparison& pair, double alpha,
                                                           std::size_t tests);

// Sets verdict and launches_needed of a pair; its difference (null where a side has one launch) and
// adjusted_p are set. ALPHA: of all cases together. TESTS: cases that have a difference.
void decide(CaseComparison& pair, double alpha, std::size_t tests);

}  // namespace mpsbench::report
