// What a person sees of machines and devices side by side.
#pragma once

#include "report/machines.hpp"

#include <string>

namespace mpsbench::output {

// Who the columns are, one row a case with the best marked "*" and speeds against the first column, then each
// device against its CPU with crossovers. Ends with a line break.
[[nodiscard]] std::string machines_table(const report::MachineTable& table, bool colour);
[[nodiscard]] std::string machines_markdown(const report::MachineTable& table);

}  // namespace mpsbench::output
