// What a person sees of machines and devices side by side.
#pragma once

#include "output/text/grid.hpp"
#include "report/compare/machines.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Who the columns are, one row a case with the best marked "*" and speeds against the first column, then each
// device against its CPU with crossovers. Ends with a line break.
[[nodiscard]] std::string machines_table(const report::MachineTable& table, bool colour);
[[nodiscard]] std::string machines_markdown(const report::MachineTable& table);

// Parts of them. "A cuda (published)":
[[nodiscard]] std::string machine_title(const report::MachineTable& table,
                                        const report::MachineColumn& column);
// "141 ms ±0.6 %  1.31× *", or why there is no time.
[[nodiscard]] std::string machine_cell(const report::MachineCell& cell);
[[nodiscard]] Grid speed_ups_grid(const report::MachineTable& table);
// "mlp/train on A cuda: crossover: 16", one a family whose speed-ups have intervals.
[[nodiscard]] std::vector<std::string> crossovers(const report::MachineTable& table);

}  // namespace mpsbench::output
