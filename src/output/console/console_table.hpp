// What a person sees on stdout: a header line, an aligned table and the sentence worth repeating.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// "mpsbench 0.1.0 · Apple M1 Max, 10 cores, 64 GB · macOS 15.1 · LibTorch 2.13.0 · device mps (auto)". DEVICE
// as it shall stand there; LibTorch is left out while no worker has named it.
[[nodiscard]] std::string header_line(const schema::ToolInfo& tool, const schema::HostInfo& host,
                                      const std::string& device);

// One row a case; a case without figures shows its reason in words. Ends with a line break.
[[nodiscard]] std::string console_table(const schema::Report& report, bool colour);

// "resnet50 trains 227 images a second here: an epoch of 50,000 takes 3 min 41 s ±1 % (projected)." Of the
// first training case that is ok, else the first that is; a plain statement when none is.
[[nodiscard]] std::string summary_sentence(const schema::Report& report);

}  // namespace mpsbench::output
