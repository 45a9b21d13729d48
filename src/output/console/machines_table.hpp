// Shows people machines and devices side by side.
#pragma once

#include "output/text/grid.hpp"
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

// Returns "A" for the first report, "B" for the second, and so on. After "Z" come numbers.
[[nodiscard]] std::string machine_letter(const report::MachineTable& table, const report::MachineColumn& column);

}  // namespace mpsbench::output
