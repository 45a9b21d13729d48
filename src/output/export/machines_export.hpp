// Machines and devices side by side, for other programs.
#pragma once

#include "report/compare/machines.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// One line a case and column, headings first, RFC 4180. Empty cells are null.
[[nodiscard]] std::string machines_csv(const report::MachineTable& table);
// One object; speeds and speed-ups above 1 are faster. CAVEATS as they were told.
[[nodiscard]] std::string machines_json(const report::MachineTable& table,
                                        const std::vector<std::string>& caveats);

}  // namespace mpsbench::output
