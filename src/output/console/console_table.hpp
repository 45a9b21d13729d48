// The results of `mpsbench run` and `mpsbench calibrate` for people.
#pragma once

#include "report/compare/required_launches.hpp"
#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns what the article's own script prints, one line per case: the seconds of its loop ("CPU Time: 12.3456
// seconds"), "MPS device not found.", or why it has no time.
[[nodiscard]] std::string plain_lines(const schema::Report& report);

// Returns one row per case of `mpsbench calibrate`, then what the table means. Ends with a line break.
[[nodiscard]] std::string calibration_table(const std::vector<report::CalibratedCase>& cases);

// Returns the header line: "mpsbench 0.1.0 · Apple M1 Max, 10 cores, 64 GB · macOS 15.1 arm64 ·
// LibTorch 2.13.0 · device mps (auto)". DEVICE is shown as it is. LibTorch is left out until a worker has
// reported its version. The environment variables PYTORCH_... and those that make networks slower come last.
[[nodiscard]] std::string header_line(const schema::ToolInfo& tool, const schema::HostInfo& host,
                                      const std::string& device);

// What people count in the input of a case: "images", "sentences", "tokens" or "rows".
struct InputUnit {
  const char* word = "rows";
  double each = 1;  // of them in a row
};

// Returns that of RESULT, a case of REPORT.
[[nodiscard]] InputUnit input_unit(const schema::Report& report, const schema::CaseResult& result);

// Returns one row per case. A case without figures shows why it has none. Ends with a line break.
[[nodiscard]] std::string console_table(const schema::Report& report, bool colour);

// Returns the summary: "resnet50 trains 227 images a second here: an epoch of 50,000 takes 3 min 41 s ±1 %
// (projected)." It describes the fastest case of the first network that trains or, if none trains, of the
// first network. If no case is ok, it only says so.
[[nodiscard]] std::string summary_sentence(const schema::Report& report);

// Returns the table, a line for each case that evaluated what its epochs had taught, the summary, and a line
// about what makes the figures uncertain, if anything does.
[[nodiscard]] std::string console_report(const schema::Report& report, bool colour);

}  // namespace mpsbench::output
