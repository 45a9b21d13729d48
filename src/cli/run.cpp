#include "cli/run.hpp"

#include "base/log.hpp"
#include "base/resources.hpp"
#include "cli/run_display.hpp"
#include "cli/run_plan_text.hpp"
#include "cli/terminal.hpp"
#include "run/plan.hpp"
#include "run/request.hpp"
#include "run/resume.hpp"
#include "run/start.hpp"
#include "run/task.hpp"
#include "suite/catalog.hpp"
#include "suite/option.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <set>
#include <string>

namespace mpsbench::cli {
namespace {

void add_option(CLI::App& command, const suite::Option& option, RunOptions& options) {
  const std::string names =
      (option.short_name.empty() ? "" : "-" + option.short_name + ",") + "--" + option.name;
  suite::Settings& settings = options.settings;
  if (option.kind == suite::OptionKind::flag) {
    command.add_flag_callback(
        names, [&settings, &option] { option.set(settings, "true", "--" + option.name); }, option.help);
    return;
  }
  const auto take = [&settings, &option](const CLI::results_t& values) {
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
    option.set(settings, text, "--" + option.name);
    return true;
  };
  CLI::Option* added = command.add_option(names, take, option.help)->type_name(option.value_name);
  if (option.kind == suite::OptionKind::list) {
    added->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  } else {
    added->expected(1);
  }
}

void require_loops(const suite::Settings& settings, const schema::RunRecord& record) {
  if (settings.output.has()) throw settings.plain.error("stands instead of --output; leave out one");
  std::set<schema::DeviceId> devices;
  for (const schema::PlannedCase& planned : record.run.plan) {
    if (!devices.insert(planned.spec.device).second)
      throw settings.plain.error("prints a line a device, and " + planned.id +
                                 " is not the first case on its own; leave one a device");
    if (!planned.spec.iterations)
      throw settings.plain.error("prints the time of a loop; add --iterations N (missing in " + planned.id +
                                 ")");
  }
}

base::log::Level log_level(const suite::Settings& settings) {
  if (settings.quiet.is_on()) return base::log::Level::quiet;
  return settings.verbose.is_on() ? base::log::Level::verbose : base::log::Level::normal;
}

// A file that is gone on with says what is measured and how; only what is shown may be asked for anew.
void refuse_other_options(const RunOptions& options, const suite::Settings& settings) {
  if (!options.suites.empty())
    throw base::usage_error("--resume takes its suite from the file; name none beside it");
  for (const suite::Option& option : suite::options()) {
    if (!option.traits.is_beside_resume && option.in(settings).has())
      throw base::usage_error("--" + option.name +
                              ": not beside --resume, which goes on as the run was begun");
  }
}

base::ExitCode resume(const suite::Settings& settings) {
  run::UnfinishedRun unfinished = run::load_unfinished(settings.resume.value());
  if (settings.dry_run.is_on()) {
    std::fputs(plan_text(unfinished.record).c_str(), stdout);
    return base::ExitCode::ok;
  }
  RunDisplay display(settings);
  return run::resume_run(unfinished, settings.verbose.is_on(), display);
}

}  // namespace

CLI::App* add_run_command(CLI::App& app, RunOptions& options) {
  CLI::App* command =
      app.add_subcommand("run", "Measure: suites by name or file, or one matrix given by options");
  add_run_options(*command, options);
  return command;
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("SUITE", options.suites,
                     "suites to run (see `mpsbench list suites`); options replace their keys");
  for (const suite::Option& option : suite::options()) add_option(command, option, options);
}

base::ExitCode run_run(const RunOptions& options) {
  return run_with(options, run::read_run_options);
}

base::ExitCode run_with(const RunOptions& options, OptionReader read_options) {
  const suite::Catalog catalog(base::share_folder());
  const run::Request request = run::read_request(catalog, options.suites, options.settings);
  const suite::Settings& settings = request.settings;
  base::log::set_up(log_level(settings), use_colour(settings, STDERR_FILENO), settings.log_file.value_or(""));
  if (settings.resume.has()) {
    refuse_other_options(options, settings);
    return resume(settings);
  }
  run::Options run_options = read_options(settings);
  run_options.argv = options.argv;
  const std::unique_ptr<run::Task> task = run::new_task(run_options);
  run::RunPlan plan = run::make_plan(request, run_options, catalog);
  if (settings.plain.is_on()) require_loops(settings, plan.record);
  if (settings.dry_run.is_on()) {
    if (plan.open.empty()) task->prepare(plan.record);
    std::fputs((plan_text(plan.record) + open_text(plan.open)).c_str(), stdout);
    return plan.best_exit_code();
  }
  RunDisplay display(settings);
  return run::start_run(plan, *task, run_options, display);
}

}  // namespace mpsbench::cli
