// Comparisons for other programs.
#pragma once

#include "report/compare/compare.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// RFC 4180: headings, then one line per case and metric. Null values are empty cells.
[[nodiscard]] std::string comparison_csv(const report::Comparison& comparison);
// Returns one object. Ratios are values of the new report divided by those of the old one. CAVEATS are the
// notes that the user sees.
[[nodiscard]] std::string comparison_json(const report::Comparison& comparison,
                                          const std::vector<std::string>& caveats);

}  // namespace mpsbench::output
