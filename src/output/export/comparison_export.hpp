// A comparison for other programs.
#pragma once

#include "report/compare/compare.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// One line a case, headings first, RFC 4180. Empty cells are null.
[[nodiscard]] std::string comparison_csv(const report::Comparison& comparison);
// One object; ratios are of times, after to before. CAVEATS as they were told.
[[nodiscard]] std::string comparison_json(const report::Comparison& comparison,
                                          const std::vector<std::string>& caveats);

}  // namespace mpsbench::output
