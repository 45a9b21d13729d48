// Shows people machines and devices side by side.
#pragma once

#include "output/text/grid.hpp"
#include "report/compare/machines.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// First what each column is. Then one row per case, with speeds relative to the first column and the best
// marked "*". Then each device compared with its CPU, with crossovers. Ends with a line break.
[[nodiscard]] std::string machines_table(const report::MachineTable& table, bool colour);
[[nodiscard]] std::string machines_markdown(const report::MachineTable& table);

// The following functions make parts of these tables. This one returns the title of a column: "A cuda
// (published)".
[[nodiscard]] std::string machine_title(const report::MachineTable& table,
                                        const report::MachineColumn& column);
// Returns the text of a cell: "141 ms ±0.6 %  1.31× *", or the reason if there is no time.
[[nodiscard]] std::string machine_cell(const report::MachineCell& cell);
[[nodiscard]] Grid speed_ups_grid(const report::MachineTable& table);
// Returns lines such as "mlp/train on A cuda: crossover: 16", one for each family whose largest batch
// has an interval.
[[nodiscard]] std::vector<std::string> crossovers(const report::MachineTable& table);

}  // namespace mpsbench::output
