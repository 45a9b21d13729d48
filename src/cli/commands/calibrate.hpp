// `mpsbench calibrate`: how far two runs of the same work lie apart on this machine.
#pragma once

#include "base/error.hpp"
#include "cli/commands/run.hpp"

namespace CLI {
class App;
}

namespace mpsbench::cli {

CLI::App* add_calibrate_command(CLI::App& app, RunOptions& options);
// Runs as `run` does, each case ten times its repeats, and records the spread.
[[nodiscard]] base::ExitCode run_calibrate(const RunOptions& options);

}  // namespace mpsbench::cli
