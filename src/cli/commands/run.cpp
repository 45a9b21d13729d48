#include "base/log.hpp"
#include "base/place.hpp"
#include "base/resources.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "cli/commands/run_display.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/terminal.hpp"
#include "run/fronts/fronts.hpp"
#include "run/plan/machine.hpp"
#include "run/plan/places.hpp"
#include "run/resume.hpp"
#include "run/run_plan.hpp"
#include "run/session/ceilings.hpp"
#include "run/tasks.hpp"
#include "suite/catalog.hpp"
#include "suite/option.hpp"
#include "supervise/launcher.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace mpsbench::cli {
namespace {

struct RunOptions {
  std::vector<std::string> argv{};  // recorded in the report
  run::Options (*read_options)(const suite::Settings& settings) = nullptr;
  std::vector<std::string> suites{};
  suite::Settings settings{};         // of the command line
  std::vector<OutputWord> outputs{};  // each -f and -o
};

base::log::Verbosity log_level(const suite::Settings& settings) {
  if (settings.quiet.is_on() && settings.verbose.is_on())
    throw settings.verbose.error("contradicts " + settings.quiet.origin() + "; leave out one of them");
  if (settings.quiet.is_on()) return base::log::Verbosity::quiet;
  return settings.verbose.is_on() ? base::log::Verbosity::verbose : base::log::Verbosity::normal;
}

// --plain prints on stdout, too.
void require_free_stdout(const suite::Settings& settings, const std::vector<ChosenOutput>& outputs) {
  if (settings.plain.is_on() && std::ranges::any_of(outputs, &ChosenOutput::is_stdout))
    throw settings.plain.error("prints on stdout, so no -f can go there too; write -o FILE after -f, or leave out -f");
}

std::vector<std::filesystem::path> files_of(const std::vector<ChosenOutput>& outputs) {
  std::vector<std::filesystem::path> files;
  for (const ChosenOutput& one : outputs) {
    if (!one.is_stdout()) files.emplace_back(one.file);
  }
  return files;
}

base::ExitCode resume(const suite::Settings& settings, const std::vector<ChosenOutput>& outputs,
                      supervise::LeadingFront* lead) {
  run::UnfinishedRun unfinished = run::load_unfinished(settings.resume.value());
  run::Options run_options;
  run_options.outputs = files_of(outputs);
  const bool is_dry = settings.dry_run.is_on();
  run::require_outputs(unfinished.record, unfinished.report, run_options,
                       is_dry ? run::FolderCheck::without_traces : run::FolderCheck::makes_folders);
  if (is_dry) {
    std::fputs(plan_text(unfinished.record).c_str(), stdout);
    return base::ExitCode::ok;
  }
  RunDisplay display(settings, outputs);
  const base::ExitCode code = run::resume_run(unfinished, settings.verbose.is_on(), display.sink(),
                                              settings.time_limit_seconds.optional(), lead);
  return base::worse(code, display.code());
}

double rendezvous_seconds(const suite::Settings& settings) {
  return settings.rendezvous_timeout_seconds.value_or(run::kRendezvousSeconds);
}

// Rank 0 speaks for all.
bool is_silent(const std::optional<supervise::LauncherPlace>& place) {
  return place && place->rank != 0;
}

// Only rank 0 has the run's file, so the ranks compare no plans.
base::ExitCode resume_with_fronts(const suite::Settings& settings, const std::vector<ChosenOutput>& outputs,
                                  const std::optional<supervise::LauncherPlace>& place) {
  if (settings.dry_run.is_on() && is_silent(place)) return base::ExitCode::ok;
  if (!place || settings.dry_run.is_on()) return resume(settings, outputs, nullptr);
  run::Accelerators accelerators;
  const suite::DeviceList devices = accelerators.list();
  (void)devices();  // asks the worker before the run handles signals
  return run::run_with_fronts(
      *place, run::front_facts(place->ranks, nullptr), rendezvous_seconds(settings), devices,
      [&](supervise::LeadingFront& lead) { return complete([&] { return resume(settings, outputs, &lead); }); });
}

base::ExitCode start_with_fronts(run::RunPlan& plan, run::Task& task, const run::Options& options,
                                 const suite::Settings& settings, RunDisplay& display) {
  if (!options.place) return run::start_run(plan, task, options, display.sink());
  return run::run_with_fronts(
      *options.place, run::front_facts(options.place->ranks, &plan.record), rendezvous_seconds(settings),
      plan.host.devices, [&](supervise::LeadingFront& lead) {
        return complete([&] { return run::start_run(plan, task, options, display.sink(), &lead); });
      });
}

// The log would be lost when the file is replaced.
void require_separate_log(const suite::Settings& settings, const std::vector<ChosenOutput>& outputs) {
  if (!settings.log_file.has()) return;
  std::vector<std::filesystem::path> files = files_of(outputs);
  files.emplace_back(settings.dump_first_step.value_or(""));
  for (const std::string& report : {settings.export_json.value_or(""), settings.resume.value_or("")}) {
    if (report.empty()) continue;
    const std::filesystem::path written = std::filesystem::path(report).replace_extension(".json");
    files.insert(files.end(), {report, written, run::journal_path(written), run::versus_path(written)});
  }
  for (const std::filesystem::path& file : files) {
    if (!file.empty() && base::is_same_place(settings.log_file.value(), file))
      throw settings.log_file.error("is another file of this run; choose another place");
  }
}

base::ExitCode run_with(const RunOptions& options) {
  if (options.settings.resume.has() && options.read_options == run::read_calibration_options)
    throw options.settings.resume.error("calibrate does not resume; continue with mpsbench run --resume FILE");
  const std::vector<ChosenOutput> outputs = paired_outputs(options.outputs);
  const suite::Catalog catalog(base::share_folder());
  const run::RunRequest request = run::read_request(catalog, options.suites, options.settings);
  const suite::Settings& settings = request.settings;
  const std::optional<supervise::LauncherPlace> place = supervise::launcher_place(::getenv);
  require_separate_log(settings, outputs);
  base::log::set_up(is_silent(place) ? base::log::Verbosity::quiet : log_level(settings),
                    use_colour(settings, STDERR_FILENO), is_silent(place) ? "" : settings.log_file.value_or(""));
  require_free_stdout(settings, outputs);
  for (const ChosenOutput& one : outputs) refuse_damage(one, options.suites, /*are_reports=*/true);
  if (settings.resume.has()) {
    run::refuse_beside_resume(options.suites, settings);
    return resume_with_fronts(settings, outputs, place);
  }
  run::Options run_options = options.read_options(settings);
  run_options.argv = options.argv;
  run_options.outputs = files_of(outputs);
  run_options.place = place;
  if (place && run_options.purpose == schema::Purpose::versus)
    throw settings.versus.error("compares two workers on one machine; start mpsbench without " + place->launcher);
  const std::unique_ptr<run::Task> task = run::new_task(run_options);
  run::RunPlan plan = run::make_run_plan(request, run_options, catalog);
  if (settings.dry_run.is_on()) {
    if (is_silent(place)) return plan.best_exit_code();
    run::check_start(plan, run_options);
    if (plan.open.empty()) task->prepare(plan.record);
    if (const auto libtorch = plan.accelerators->libtorch_version()) run::recall_ceilings(plan.record, *libtorch);
    std::fputs(plan_text(plan.record, plan.open, plan.host, plan.record.run.planned_within_seconds).c_str(), stdout);
    return plan.best_exit_code();
  }
  RunDisplay display(settings, outputs);
  const base::ExitCode code = start_with_fronts(plan, *task, run_options, settings, display);
  return base::worse(code, display.code());
}

CLI::App& add_measuring_command(CLI::App& app, const char* name, const char* help, const RunOptions& first,
                                Action& chosen) {
  const auto [command, options] = add_command(app, chosen, name, help, run_with);
  options = first;
  command.add_option("SUITE", options.suites,
                     "suites to run (see `mpsbench list suites`); options override their keys");
  for (const suite::Option& option : suite::options())
    add_option(command, option, options.settings).group(option.section);
  add_paired_outputs(command, options.outputs);
  for (const char* where : {"--format", "--output"})
    command.get_option(where)->group(suite::find_option("export-json")->section);
  return command;
}

}  // namespace

void add_run_command(CLI::App& app, const std::vector<std::string>& argv, Action& chosen) {
  (void)add_measuring_command(app, "run", "Measure suites, given by name or file, or one matrix, given by options",
                              {argv, run::read_run_options}, chosen);
}

void add_calibrate_command(CLI::App& app, const std::vector<std::string>& argv, Action& chosen) {
  CLI::App& command = add_measuring_command(app, "calibrate",
                                            "Measure and record how much two runs of the same work differ on this "
                                            "machine; takes ten times as many launches as run",
                                            {argv, run::read_calibration_options}, chosen);
  for (const suite::Option& option : suite::options()) {
    if (option.traits.is_refused_by_calibrate) command.get_option("--" + option.name)->group("");  // hides it in --help
  }
}

}  // namespace mpsbench::cli
