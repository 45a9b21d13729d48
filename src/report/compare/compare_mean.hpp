// The change of a whole suite.
#pragma once

#include "report/compare/compare.hpp"

#include <optional>
#include <vector>

namespace mpsbench::report {

// Geometric mean of the cases' ratios. Launches of one index ran in one block of the run, under the same
// state of the machine, so its interval takes the block for the unit: the mean over the cases of a block's
// logs; where both sides TAKE TURNS, the change within a block. Nullopt for fewer than two cases that have a
// ratio, or fewer than two blocks on a side that hold them all.
[[nodiscard]] std::optional<Ratio> geometric_mean(const std::vector<CaseComparison>& cases, bool takes_turns);

}  // namespace mpsbench::report
