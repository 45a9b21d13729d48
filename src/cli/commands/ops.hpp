// `mpsbench ops` replaces this process with mpsbench-ops.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct OpsOptions {
  OutputChoice output;
};

CLI::App* add_ops_command(CLI::App& app, OpsOptions& options);
// Passes WORDS on to mpsbench-ops. Returns only if the program cannot be started: throws Error(usage).
[[nodiscard]] base::ExitCode run_ops(const OpsOptions& options, const std::vector<std::string>& words);

}  // namespace mpsbench::cli
