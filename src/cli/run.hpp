// `mpsbench run`: from options to a report.
#pragma once

#include "base/error.hpp"
#include "cli/sequel.hpp"
#include "suite/settings.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct RunOptions {
  std::vector<std::string> suites;
  suite::Settings settings;       // from the command line
  std::vector<std::string> argv;  // for the report
};

CLI::App* add_run_command(CLI::App& app, RunOptions& options);
[[nodiscard]] base::ExitCode run_run(const RunOptions& options);

// For commands that run something as `run` does.
void add_run_options(CLI::App& command, RunOptions& options);
// What comes of a run whose settings are these.
using SequelMaker = std::function<std::unique_ptr<Sequel>(const suite::Settings& settings)>;
[[nodiscard]] base::ExitCode run_with(const RunOptions& options, const SequelMaker& make_sequel);

}  // namespace mpsbench::cli
