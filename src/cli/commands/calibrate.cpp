#include "cli/commands/calibrate.hpp"

#include "run/options.hpp"
#include "suite/option.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace mpsbench::cli {

CLI::App* add_calibrate_command(CLI::App& app, RunOptions& options) {
  CLI::App* command =
      app.add_subcommand("calibrate",
                         "Measure and record how much two runs of the same work differ on this "
                         "machine; takes ten times as many launches as run");
  add_run_options(*command, options);
  for (const suite::Option& option : suite::options()) {
    if (option.traits.is_refused_by_calibrate)
      command->get_option("--" + option.name)->group("");  // hides it in --help
  }
  return command;
}

base::ExitCode run_calibrate(const RunOptions& options) {
  if (options.settings.resume.has())
    throw options.settings.resume.error(
        "calibrate does not resume; continue with mpsbench run --resume FILE");
  return run_with(options, run::read_calibration_options);
}

}  // namespace mpsbench::cli
