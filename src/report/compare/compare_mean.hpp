// The mean change over a whole suite.
#pragma once

#include "report/compare/compare.hpp"

#include <optional>
#include <vector>

namespace mpsbench::report {

// Returns the geometric mean of the ratios of the cases' times. Launches with the same index ran in one block
// of the run, in the same state of the machine. So the interval is computed over blocks: over the mean of a
// block's logarithms or, if TAKES_TURNS, over the change within a block. Returns nullopt if fewer than two
// cases have a ratio, or if a side has fewer than two blocks that contain all cases.
[[nodiscard]] std::optional<Ratio> geometric_mean(const std::vector<CaseComparison>& cases, bool takes_turns);

}  // namespace mpsbench::report
