// What a person sees of two reports of one machine: a table and the sentences worth repeating.
#pragma once

#include "output/text/grid.hpp"
#include "report/compare/compare.hpp"

#include <string>

namespace mpsbench::output {

// One row a case, then the geometric mean.
[[nodiscard]] Grid comparison_grid(const report::Comparison& comparison);
// The same as text that ends with a line break.
[[nodiscard]] std::string comparison_table(const report::Comparison& comparison, bool colour);
[[nodiscard]] std::string comparison_markdown(const report::Comparison& comparison);

// "1 case of 3 is slower by more than 2 %: mlp/train/cpu/b64." and what else there is to know, a line each.
[[nodiscard]] std::string comparison_summary(const report::Comparison& comparison);

// A case's row as words: "slower: 1.05 ms ±1 % → 1.16 ms ±1 %, +10.0 % (+8.1 … +12.0)".
[[nodiscard]] std::string verdict_words(const report::CaseComparison& pair);

// "2 %", or "their thresholds" where cases have several.
[[nodiscard]] std::string threshold_text(const report::Comparison& comparison);

// "+9.9 %": what a ratio of times says.
[[nodiscard]] std::string format_change(double ratio);

}  // namespace mpsbench::output
