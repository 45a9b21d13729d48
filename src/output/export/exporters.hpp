// Reports and lists in the formats of other programs. Each function returns the whole text, which ends with a
// line break.
#pragma once

#include "schema/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mpsbench::output {

// RFC 4180. Cells that a spreadsheet would take for a formula get a leading apostrophe.
[[nodiscard]] std::string to_csv(const schema::Report& report);
// Returns the table of the terminal, in Markdown.
[[nodiscard]] std::string to_markdown(const schema::Report& report);
// Returns the same text as the report file.
[[nodiscard]] std::string to_json_text(const schema::Report& report);
// Returns one line per case, each the same object as in the report's "cases".
[[nodiscard]] std::string to_json_lines(const schema::Report& report);

// The Bencher Metric Format, which the adapter "json" of bencher.dev reads. Each case has "latency", the step
// in nanoseconds, and "throughput", rows per second, with 95 % intervals. Leaves out cases without figures.
[[nodiscard]] std::string to_bencher(const schema::Report& report);

// The list that the GitHub Action "benchmark" (benchmark-action) reads as "customSmallerIsBetter": the step of
// each case, always in milliseconds, so that a chart over commits keeps its scale. Leaves out cases without
// figures.
[[nodiscard]] std::string to_github_action(const schema::Report& report);

// The JSON of Google Benchmark's --benchmark_format=json, for programs that read it, such as its compare.py. A
// repetition is a launch that ended well. Its time is its median step in nanoseconds, so that the aggregate
// "median" is the report's figure. CPU time is not measured; cpu_time repeats real_time, because readers need
// a number. A case without figures is one entry with error_occurred.
[[nodiscard]] std::string to_google_benchmark(const schema::Report& report);

// Lists, such as those of models and devices: ENTRIES are flat objects with the same keys. A value may be a
// list of texts.
[[nodiscard]] std::string list_table(const nlohmann::ordered_json& entries);
[[nodiscard]] std::string list_markdown(const nlohmann::ordered_json& entries);
[[nodiscard]] std::string list_csv(const nlohmann::ordered_json& entries);
[[nodiscard]] std::string list_json(const nlohmann::ordered_json& entries);
// Returns one entry per line.
[[nodiscard]] std::string list_json_lines(const nlohmann::ordered_json& entries);

}  // namespace mpsbench::output
