// Reports in the formats of other programs.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// A report as CSV, Markdown and JSON. Each function returns the whole text, which ends with a line break.

// RFC 4180. Cells that a spreadsheet would take for a formula get a leading apostrophe.
[[nodiscard]] std::string to_csv(const schema::Report& report);
// Returns the table of the terminal, in Markdown.
[[nodiscard]] std::string to_markdown(const schema::Report& report);
// Returns the same text as the report file.
[[nodiscard]] std::string to_json_text(const schema::Report& report);
// Returns one line per case, each the same object as in the report's "cases".
[[nodiscard]] std::string to_json_lines(const schema::Report& report);

// The Bencher Metric Format (bencher.dev), which its adapter "json" reads.

// Each case has "latency", the step in nanoseconds, and "throughput", rows per second, with 95 % intervals.
// Leaves out cases without figures.
[[nodiscard]] std::string to_bencher(const schema::Report& report);

// The list that the GitHub Action "benchmark" (benchmark-action) reads as "customSmallerIsBetter".

// Returns the step of each case, always in milliseconds, so that a chart over commits keeps its scale. Leaves
// out cases without figures.
[[nodiscard]] std::string to_github_action(const schema::Report& report);

// The JSON of Google Benchmark's --benchmark_format=json, for programs that read it, such as its compare.py.

// A repetition is a launch that ended well. Its time is its median step in nanoseconds, so that the aggregate
// "median" is the report's figure. CPU time is not measured; cpu_time repeats real_time, because readers need
// a number. A case without figures is one entry with error_occurred.
[[nodiscard]] std::string to_google_benchmark(const schema::Report& report);

}  // namespace mpsbench::output
