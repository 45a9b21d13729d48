// What can be concluded from the launches of one case.
#pragma once

#include "report/compare/compare.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace mpsbench::report {

// Returns the logarithms of the launches' values, in the launches' order. Leaves out launches without METRIC.
[[nodiscard]] std::vector<double> log_values(const ComparedCase& result, schema::GatedMetric metric);

// Returns AFTER minus BEFORE, in logarithms, for each launch index that both have. Only for launches that
// took turns.
using LogsByIndex = std::map<std::int64_t, double>;
[[nodiscard]] std::vector<double> turn_differences(const LogsByIndex& before, const LogsByIndex& after);
[[nodiscard]] std::vector<double> turn_differences(const ComparedCase& before, const ComparedCase& after,
                                                   schema::GatedMetric metric);

// Whether the change is judged by its size alone, without a test. The peak that a device's allocator counts
// is often the same in all launches of a side. Then it follows from the code, so two launches of each side
// show it.
[[nodiscard]] bool is_exact(const CaseComparison& pair);

// Returns the p-value of PAIR's difference, which must be set. It is that of the t-test. The memory of a
// process jumps between a few values, so launches may lie close together by chance, and a t-test would trust
// them. For the peak memory it is therefore at least that of a test of the order alone.
[[nodiscard]] double p_value(const CaseComparison& pair);

// Returns the launches that both sides have for the entry's metric.
[[nodiscard]] std::int64_t launches_at_hand(const CaseComparison& pair);

[[nodiscard]] Ratio to_ratio(const stats::Difference& difference);

// Returns the smallest number of launches per side that finds a change of kEffectThresholds times the
// threshold with probability kPower, when TESTS comparisons are made together. It depends on the launches'
// spread alone, not on the change that they show. So you can take that many launches, and judge once, without
// more false verdicts. Returns nullopt if more than stats::kMostLaunchesNeeded are needed.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const CaseComparison& pair, double alpha, std::size_t tests);

// Returns the smallest number of launches of AFTER, at most MOST, with which the test can call a change at
// all, if BEFORE gets no more.
[[nodiscard]] std::int64_t least_launches_after(const CaseComparison& pair, double alpha, std::size_t tests,
                                                std::int64_t most);

// Sets the verdict and launches_needed of PAIR. Its difference (null if a side has one launch) and adjusted_p
// must be set. ALPHA is for all cases together. TESTS is the number of cases that have a difference.
void decide(CaseComparison& pair, double alpha, std::size_t tests);

// The mean change over a whole suite.

// Returns the geometric mean of the ratios of the cases' times. Launches with the same index ran in one block
// of the run, in the same state of the machine. So the interval is computed over blocks: over the mean of a
// block's logarithms or, if TAKES_TURNS, over the change within a block. Returns nullopt if fewer than two
// cases have a ratio, or if a side has fewer than two blocks that contain all cases.
[[nodiscard]] std::optional<Ratio> geometric_mean(const std::vector<CaseComparison>& cases, bool takes_turns);

}  // namespace mpsbench::report
