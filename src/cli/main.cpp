#include "cli/main.hpp"

#include "base/error.hpp"
#include "cli/commands/commands.hpp"
#include "cli/shell/completion.hpp"
#include "cli/shell/man.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/outcome.hpp"
#include "schema/host.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace mpsbench::cli {
namespace {

using base::ExitCode;

struct Program {
  CLI::App app{
      "Benchmark of deep-learning training and inference: how fast this machine trains and runs real "
      "networks."};
  Action chosen;
};

void add_commands(Program& program, const std::vector<std::string>& argv) {
  CLI::App& app = program.app;
  app.set_version_flag("--version", schema::version_text());
  app.require_subcommand(0, 1);
  add_run_command(app, argv, program.chosen);
  add_calibrate_command(app, argv, program.chosen);
  for (const auto add :
       {add_list_command, add_doctor_command, add_ops_command, add_validate_command, add_compare_command,
        add_export_command, add_merge_command, add_cache_command, add_completion_command, add_man_command})
    add(app, program.chosen);
  app.footer(
      "Exit codes: 0 done, 1 regression, 2 usage or input error, 3 no usable device, 4 reports not "
      "comparable,\n"
      "5 some launches did not finish, 130 interrupted. Documentation: README.md");
}

ExitCode parse_and_run(int argc, char** argv) {
  Program program;
  add_commands(program, {argv, argv + argc});
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return static_cast<ExitCode>(program.app.exit(error));
    return fail(ExitCode::usage, parse_problem(error, program.app) + "; see --help");
  }
  if (!program.chosen) return fail(ExitCode::usage, "name a command, such as run, list, doctor or compare; see --help");
  return program.chosen();
}

}  // namespace

int run(int argc, char** argv) {
  return static_cast<int>(complete([&] { return parse_and_run(argc, argv); }));
}

}  // namespace mpsbench::cli
