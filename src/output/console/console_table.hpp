// What people see on stdout: a header line, an aligned table, what networks learned, and a summary sentence.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Returns the header line: "mpsbench 0.1.0 · Apple M1 Max, 10 cores, 64 GB · macOS 15.1 arm64 ·
// LibTorch 2.13.0 · device mps (auto)". DEVICE is shown as it is. LibTorch is left out until a worker has
// reported its version. The environment variables PYTORCH_... and those that make networks slower come last.
[[nodiscard]] std::string header_line(const schema::ToolInfo& tool, const schema::HostInfo& host,
                                      const std::string& device);

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
