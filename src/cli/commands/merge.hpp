// `mpsbench merge REPORT REPORT...`: one report of several runs of one machine.
#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct MergeOptions {
  std::vector<std::string> files;
  std::string output = "-";
};

CLI::App* add_merge_command(CLI::App& app, MergeOptions& options);
// Throws Error(usage) for a file that is no report or a place that cannot be written, Error(not_comparable),
// Error(incomplete).
[[nodiscard]] base::ExitCode run_merge(const MergeOptions& options);

}  // namespace mpsbench::cli
