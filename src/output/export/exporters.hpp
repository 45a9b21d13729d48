// Reports and comparisons in the formats of other programs. Each function returns the whole text, which ends with
// a line break.
#pragma once

#include "report/compare/compare.hpp"
#include "report/compare/machine_summary.hpp"
#include "schema/report.hpp"

#include <string>
#include <vector>

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

// JUnit's XML, which fits the schemas of Ant and of Jenkins. Each report is a test suite and each case a test case,
// with the time of its launches. The statuses oom, timeout and failed are failures, and a crash is an error. Skipped
// are cases that this machine cannot run, cases that an interrupted run did not reach, and the batch above the largest
// one. The schemas have no properties of test cases, so the suite's have figures and flags, as "ID step_seconds".
[[nodiscard]] std::string to_junit(const std::vector<schema::Report>& reports);

// Each case is a test that takes no time, and so is each further metric of it: "ID peak-memory". It fails if
// the case is slower, or larger in that metric. If the case is undecided or not compared, the test is
// skipped, or fails if IS_OPEN_FAILURE is set.
[[nodiscard]] std::string comparison_junit(const report::Comparison& comparison, bool is_open_failure);
// RFC 4180: headings, then one line per case and metric. Null values are empty cells.
[[nodiscard]] std::string comparison_csv(const report::Comparison& comparison);
// Returns one object. Ratios are values of the new report divided by those of the old one. CAVEATS are the
// notes that the user sees.
[[nodiscard]] std::string comparison_json(const report::Comparison& comparison,
                                          const std::vector<std::string>& caveats);

// The same of machines, with one line per case and column.
[[nodiscard]] std::string machines_csv(const report::MachineTable& table);
// Speeds and speed-ups above 1 mean faster. SUMMARY is of TABLE.
[[nodiscard]] std::string machines_json(const report::MachineTable& table, const report::MachineSummary& summary,
                                        const std::vector<std::string>& caveats);

}  // namespace mpsbench::output
