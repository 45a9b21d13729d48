// The command that compares two builds in turns, for gates that could not judge.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::run {

// Returns the command of a gated run (ARGV) with --versus in place of its baseline. Options that belong to
// that run alone are left out: --baseline, --export-json and --repeats.
[[nodiscard]] std::string versus_command(const std::vector<std::string>& argv);

}  // namespace mpsbench::run
