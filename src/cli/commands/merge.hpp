// `mpsbench merge REPORT REPORT...` joins the reports of several runs of one machine.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct MergeOptions {
  std::vector<std::string> files;
  OutputChoice output;
};

CLI::App* add_merge_command(CLI::App& app, MergeOptions& options);
// Throws Error(usage) if a file is not a report or the output cannot be written, Error(not_comparable) and
// Error(incomplete).
[[nodiscard]] base::ExitCode run_merge(const MergeOptions& options);

}  // namespace mpsbench::cli
