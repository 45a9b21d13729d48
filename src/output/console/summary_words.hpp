// What a comparison of machines says first, and what to do if cases have no partner.
#pragma once

#include "output/text/grid.hpp"
#include "report/compare/machine_summary.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns lines such as "B (h200) is 730 times as fast as A (m1) in the median of 6 shared cases, 12 to 960."
// about the fastest machine, and what is left out, if anything is.
[[nodiscard]] std::vector<std::string> summary_words(const report::MachineSummary& summary);
// Returns only what is left out because it shares no case, and how to share one.
[[nodiscard]] std::vector<std::string> unshared_words(const report::MachineSummary& summary);
// Returns "12 to 960", in the unit of speed_words() if all speeds are on its side of 1.
[[nodiscard]] std::string range_words(const report::MachineSpeeds& machine);
// Returns a row per machine, with its speeds against the base.
[[nodiscard]] Grid machine_speeds_grid(const report::MachineSummary& summary);

// Says which cases of two reports without a common one differ least, and which command would measure that of
// OTHER: "The nearest are a in A.json and b in B.json: batch size 64 and 8. To share one: mpsbench run ...".
// Returns an empty text if a report has no case.
[[nodiscard]] std::string nearest_words(const report::ComparedReport& one, const report::ComparedReport& other);

}  // namespace mpsbench::output
