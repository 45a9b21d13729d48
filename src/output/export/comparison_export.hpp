// Comparisons and tables of machines in formats for programs.
#pragma once

#include "report/compare/compare.hpp"
#include "report/compare/machine_summary.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// RFC 4180: headings, then one line per case and metric. Null values are empty cells.
[[nodiscard]] std::string comparison_csv(const report::Comparison& comparison);
// Returns one object. Ratios are values of the new report divided by those of the old one. CAVEATS are the
// notes that the user sees.
[[nodiscard]] std::string comparison_json(const report::Comparison& comparison,
                                          const std::vector<std::string>& caveats);

// RFC 4180: headings, then one line per case and column. Null values are empty cells.
[[nodiscard]] std::string machines_csv(const report::MachineTable& table);
// Returns one object. Speeds and speed-ups above 1 mean faster. SUMMARY is of TABLE. CAVEATS are the notes
// that the user sees.
[[nodiscard]] std::string machines_json(const report::MachineTable& table, const report::MachineSummary& summary,
                                        const std::vector<std::string>& caveats);

}  // namespace mpsbench::output
