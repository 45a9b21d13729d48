#include "cli/main.hpp"

#include "base/error.hpp"
#include "cli/commands/cache.hpp"
#include "cli/commands/calibrate.hpp"
#include "cli/commands/compare.hpp"
#include "cli/commands/doctor.hpp"
#include "cli/commands/export.hpp"
#include "cli/commands/list.hpp"
#include "cli/commands/merge.hpp"
#include "cli/commands/ops.hpp"
#include "cli/commands/run.hpp"
#include "cli/commands/validate.hpp"
#include "cli/shell/completion.hpp"
#include "cli/shell/man.hpp"
#include "cli/shell/outcome.hpp"
#include "cli/shell/parse_problem.hpp"
#include "schema/tool_info.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace mpsbench::cli {
namespace {

using base::ExitCode;

struct Program {
  CLI::App app{
      "Benchmark of deep-learning training and inference: how fast this machine trains and runs real "
      "networks."};
  RunOptions run;
  RunOptions calibrate;
  ListOptions list;
  DoctorOptions doctor;
  ValidateOptions validate;
  CompareOptions compare;
  ExportOptions exporting;
  MergeOptions merge;
  OpsOptions ops;
  CacheOptions cache;
  CompletionOptions completion;
  std::function<ExitCode()> chosen;
};

void add_commands(Program& program) {
  CLI::App& app = program.app;
  app.set_version_flag("--version", schema::version_text());
  app.require_subcommand(0, 1);
  add_run_command(app, program.run)->callback([&program] {
    program.chosen = [&program] { return run_run(program.run); };
  });
  add_calibrate_command(app, program.calibrate)->callback([&program] {
    program.chosen = [&program] { return run_calibrate(program.calibrate); };
  });
  add_list_command(app, program.list)->callback([&program] {
    program.chosen = [&program] { return run_list(program.list); };
  });
  add_doctor_command(app, program.doctor)->callback([&program] {
    program.chosen = [&program] { return run_doctor(program.doctor); };
  });
  CLI::App* ops = add_ops_command(app, program.ops);
  ops->callback([&program, ops] {
    program.chosen = [&program, ops] { return run_ops(program.ops, ops->remaining()); };
  });
  add_validate_command(app, program.validate)->callback([&program] {
    program.chosen = [&program] { return run_validate(program.validate); };
  });
  add_compare_command(app, program.compare)->callback([&program] {
    program.chosen = [&program] { return run_compare(program.compare); };
  });
  add_export_command(app, program.exporting)->callback([&program] {
    program.chosen = [&program] { return run_export(program.exporting); };
  });
  add_merge_command(app, program.merge)->callback([&program] {
    program.chosen = [&program] { return run_merge(program.merge); };
  });
  add_cache_command(app, program.cache)->callback([&program] {
    program.chosen = [&program] { return run_cache(program.cache); };
  });
  add_completion_command(app, program.completion)->callback([&program] {
    program.chosen = [&program] { return run_completion(program.app, program.completion); };
  });
  add_man_command(app)->callback(
      [&program] { program.chosen = [&program] { return run_man(program.app); }; });
  app.footer(
      "Exit codes: 0 done, 1 regression, 2 usage or input error, 3 no usable device, 4 reports not "
      "comparable,\n"
      "5 some launches did not finish, 130 interrupted. Documentation: README.md");
}

ExitCode parse_and_run(int argc, char** argv) {
  Program program;
  add_commands(program);
  program.run.argv.assign(argv, argv + argc);
  program.calibrate.argv = program.run.argv;
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return static_cast<ExitCode>(program.app.exit(error));
    return fail(ExitCode::usage, parse_problem(error, program.app) + "; see --help");
  }
  if (!program.chosen)
    return fail(ExitCode::usage, "name a command, such as run, list, doctor or compare; see --help");
  return program.chosen();
}

}  // namespace

int run(int argc, char** argv) {
  return static_cast<int>(complete([&] { return parse_and_run(argc, argv); }));
}

}  // namespace mpsbench::cli
