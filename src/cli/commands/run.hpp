// `mpsbench run` measures what the options ask for.
#pragma once

#include "base/error.hpp"
#include "cli/commands/run_outputs.hpp"
#include "run/options.hpp"
#include "suite/settings.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct RunOptions {
  std::vector<std::string> suites;
  suite::Settings settings;         // of the command line
  std::vector<OutputWord> outputs;  // each -f and -o
  std::vector<std::string> argv;    // recorded in the report
};

CLI::App* add_run_command(CLI::App& app, RunOptions& options);
[[nodiscard]] base::ExitCode run_run(const RunOptions& options);

// Adds the options of commands that measure like `run`.
void add_run_options(CLI::App& command, RunOptions& options);
using OptionReader = run::Options (*)(const suite::Settings& settings);
[[nodiscard]] base::ExitCode run_with(const RunOptions& options, OptionReader read_options);

}  // namespace mpsbench::cli
