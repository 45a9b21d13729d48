// Shows people the comparison of two reports of one machine: a table, the most important sentences, how an
// undecided verdict stands, and what to do about it.
#pragma once

#include "output/text/text.hpp"
#include "report/compare/compare.hpp"

#include <string>

namespace mpsbench::output {

// Returns "slower", "larger", "higher", ..., as it suits METRIC.
[[nodiscard]] std::string verdict_word(schema::GatedMetric metric, report::Verdict verdict);
// Returns the verdict and what is behind it in short: "undecided (about 8 more launches each)".
[[nodiscard]] std::string verdict_text(const report::CaseComparison& pair);
// Returns a case's row as one sentence: "slower: 1.05 ms ±1 % → 1.16 ms ±1 %, +10.0 % (+8.1 … +12.0)".
[[nodiscard]] std::string verdict_words(const report::CaseComparison& pair);
// Returns how an undecided verdict stands, from its interval: "slower, perhaps by less than 2 %". Returns an
// empty text if it is decided, or has no interval.
[[nodiscard]] std::string standing(const report::CaseComparison& pair);
// Returns what would decide an undecided verdict: "run both again with --repeats 11".
[[nodiscard]] std::string advice(const report::CaseComparison& pair);

// Returns a ratio as a change: "+9.9 %".
[[nodiscard]] std::string format_change(double ratio);
// Returns an interval of changes: "+7.1 … +12.8". If it is wider than ±50 % and ends
// above 2, it is one of factors: "0.25× … 6.24×".
[[nodiscard]] std::string format_changes(const report::Ratio& ratio);
// Returns what the entry's metric was on one side: "1.62 ms ±1 %", "2.4 GiB"; "–" if there is nothing.
[[nodiscard]] std::string value_text(const report::ComparedCase* result, schema::GatedMetric metric);

// Returns one row per case, then the geometric mean. If anything but the step's time is judged, there is a
// row per case and metric, and a column with the metric.
[[nodiscard]] Grid comparison_grid(const report::Comparison& comparison);
// Returns which report is which: "before: old.json, 2026-11-21, 1a2b3c; after: new.json, 2026-11-22, 4d5e6f".
[[nodiscard]] std::string sides_words(const report::Comparison& comparison);
// Returns sentences such as "1 case of 3 is slower by more than 2 %: mlp/train/cpu/b64." and what else is
// worth knowing, one sentence per line. The last lines, which begin with "- ", say of each undecided case how
// its verdict stands, and what would decide it.
[[nodiscard]] std::string comparison_summary(const report::Comparison& comparison);

}  // namespace mpsbench::output
