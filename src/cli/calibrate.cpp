#include "cli/calibrate.hpp"

#include "run/options.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace mpsbench::cli {

CLI::App* add_calibrate_command(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("calibrate",
                                         "Record how far two runs of the same work lie apart on this "
                                         "machine: measures ten times as often as run");
  add_run_options(*command, options);
  for (const char* name : run::kRefusedByCalibration)
    command->get_option("--" + std::string(name))->group("");  // not in the help
  command->get_option("--resume")->group("");
  return command;
}

base::ExitCode run_calibrate(const RunOptions& options) {
  if (options.settings.has("resume"))
    throw base::usage_error("--resume: a calibration goes on by mpsbench run --resume FILE");
  return run_with(options, run::read_calibration_options);
}

}  // namespace mpsbench::cli
