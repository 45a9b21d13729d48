// `mpsbench calibrate` measures how much two runs of the same work differ on this machine.
#pragma once

#include "base/error.hpp"
#include "cli/commands/run.hpp"

namespace CLI {
class App;
}

namespace mpsbench::cli {

CLI::App* add_calibrate_command(CLI::App& app, RunOptions& options);
// Runs like `run`, but with ten times the repeats of each case, and records the spread.
[[nodiscard]] base::ExitCode run_calibrate(const RunOptions& options);

}  // namespace mpsbench::cli
