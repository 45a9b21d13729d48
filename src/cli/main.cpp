#include "cli/main.hpp"

#include "base/error.hpp"
#include "cli/commands/commands.hpp"
#include "cli/shell/command_tree.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/terminal.hpp"
#include "schema/host.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace mpsbench::cli {
namespace {

using base::ExitCode;

void add_commands(CLI::App& app, const std::vector<std::string>& argv, Action& chosen) {
  app.set_version_flag("--version", schema::version_text());
  app.require_subcommand(0, 1);
  add_run_command(app, argv, chosen);
  add_calibrate_command(app, argv, chosen);
  for (const auto add : {add_list_command, add_doctor_command, add_ops_command, add_validate_command,
                         add_compare_command, add_export_command, add_merge_command, add_import_command,
                         add_cache_command, add_completion_command, add_man_command})
    add(app, chosen);
  app.footer(
      "Exit codes: 0 done, 1 regression, 2 usage or input error, 3 no usable device, 4 reports not "
      "comparable,\n"
      "5 some launches did not finish, 130 interrupted. Documentation: README.md");
}

ExitCode parse_and_run(int argc, char** argv) {
  CLI::App app{
      "Benchmark of deep-learning training and inference: how fast this machine trains and runs real networks."};
  Action chosen;
  add_commands(app, {argv, argv + argc}, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return static_cast<ExitCode>(app.exit(error));
    return fail(ExitCode::usage, parse_problem(error, app) + "; see --help");
  }
  if (!chosen) return fail(ExitCode::usage, "name a command, such as run, list, doctor or compare; see --help");
  return chosen();
}

}  // namespace

int run(int argc, char** argv) {
  return static_cast<int>(complete([&] { return parse_and_run(argc, argv); }));
}

}  // namespace mpsbench::cli
