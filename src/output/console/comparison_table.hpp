// Shows people the comparison of two reports of one machine: a table and the most important sentences.
#pragma once

#include "output/text/grid.hpp"
#include "report/compare/compare.hpp"

#include <string>

namespace mpsbench::output {

// Returns one row per case, then the geometric mean. If anything but the step's time is judged, there is a
// row per case and metric, and a column with the metric.
[[nodiscard]] Grid comparison_grid(const report::Comparison& comparison);
// Returns the same table as text that ends with a line break.
[[nodiscard]] std::string comparison_table(const report::Comparison& comparison, bool colour);
[[nodiscard]] std::string comparison_markdown(const report::Comparison& comparison);

// Returns which report is which: "before: old.json, 2026-11-21, 1a2b3c; after: new.json, 2026-11-22, 4d5e6f".
[[nodiscard]] std::string sides_words(const report::Comparison& comparison);

// Returns sentences such as "1 case of 3 is slower by more than 2 %: mlp/train/cpu/b64." and what else is
// worth knowing, one sentence per line. The last lines, which begin with "- ", say of each undecided case how
// its verdict stands, and what would decide it.
[[nodiscard]] std::string comparison_summary(const report::Comparison& comparison);

// Returns a case's row as one sentence: "slower: 1.05 ms ±1 % → 1.16 ms ±1 %, +10.0 % (+8.1 … +12.0)".
[[nodiscard]] std::string verdict_words(const report::CaseComparison& pair);

}  // namespace mpsbench::output
