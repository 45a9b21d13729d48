// Shows people machines and devices side by side: how fast they are in words, a table, and what to do if cases
// have no partner.
#pragma once

#include "output/text/text.hpp"
#include "report/compare/machine_summary.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

// The width of files and pipes.
inline constexpr std::size_t kUsualWidth = 120;

// First the summary in words, then what each column is; of many machines, how fast each is. Then one row per
// shared case, with speeds relative to the first time of the row and the best marked "*"; if such lines would
// be longer than WIDTH, each case is followed by a line per machine. Then each device compared with its CPU,
// with crossovers, unless there are many machines. Ends with a line break.
[[nodiscard]] std::string machines_table(const report::MachineSummary& summary, bool colour,
                                         std::size_t width = kUsualWidth);
[[nodiscard]] std::string machines_markdown(const report::MachineSummary& summary);

// Returns lines such as "B (h200) is 730 times as fast as A (m1) in the median of 6 shared cases, 12 to 960."
// about the fastest machine, and what is left out, if anything is.
[[nodiscard]] std::vector<std::string> summary_words(const report::MachineSummary& summary);
// Returns only what is left out because it shares no case, and how to share one.
[[nodiscard]] std::vector<std::string> unshared_words(const report::MachineSummary& summary);
// Returns "12 to 960", in the unit of speed_words() if all speeds are on its side of 1.
[[nodiscard]] std::string range_words(const report::MachineSpeeds& machine);

// Says which cases of two reports without a common one differ least, and which command would measure that of
// OTHER: "The nearest are a in A.json and b in B.json: batch size 64 and 8. To share one: mpsbench run ...".
// Returns an empty text if a report has no case.
[[nodiscard]] std::string nearest_words(const report::ComparedReport& one, const report::ComparedReport& other);

}  // namespace mpsbench::output
