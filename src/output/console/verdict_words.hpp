// Verdicts in words: what was found, how an undecided verdict stands, and what to do about it.
#pragma once

#include "report/compare/compare.hpp"

#include <optional>
#include <string>

namespace mpsbench::output {

// Returns "slower", "larger", "higher", ..., as it suits METRIC.
[[nodiscard]] std::string verdict_word(schema::GatedMetric metric, report::Verdict verdict);

// Returns the verdict and what is behind it in short: "undecided (about 8 more launches each)".
[[nodiscard]] std::string verdict_text(const report::CaseComparison& pair);

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

}  // namespace mpsbench::output
