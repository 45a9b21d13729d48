#include "cli/run.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/random_hex.hpp"
#include "base/resources.hpp"
#include "cli/accelerators.hpp"
#include "cli/batch_search.hpp"
#include "cli/countable.hpp"
#include "cli/default_threads.hpp"
#include "cli/gate.hpp"
#include "cli/resume.hpp"
#include "cli/run_plan_text.hpp"
#include "cli/run_session.hpp"
#include "cli/terminal.hpp"
#include "report/host_capture.hpp"
#include "report/privacy.hpp"
#include "schema/tool_info.hpp"
#include "suite/catalog.hpp"
#include "suite/device_names.hpp"
#include "suite/plan_cases.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace mpsbench::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRunIdLength = 12;

void add_option(CLI::App& command, const suite::Option& option, RunOptions& options) {
  const std::string names =
      (option.short_name.empty() ? "" : "-" + option.short_name + ",") + "--" + option.name;
  suite::Settings& settings = options.settings;
  if (option.kind == suite::OptionKind::flag) {
    command.add_flag_callback(
        names, [&settings, &option] { settings.set(option, "true", "--" + option.name); }, option.help);
    return;
  }
  const auto take = [&settings, &option](const CLI::results_t& values) {
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
    settings.set(option, text, "--" + option.name);
    return true;
  };
  CLI::Option* added = command.add_option(names, take, option.help)->type_name(option.value_name);
  if (option.kind == suite::OptionKind::list) {
    added->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  } else {
    added->expected(1);
  }
}

// What the run is called in its file's name.
std::string suite_title(const std::vector<suite::Suite>& suites) {
  std::string title;
  for (const suite::Suite& one : suites) title += (title.empty() ? "" : "+") + one.name;
  return title.empty() ? "adhoc" : title;
}

// Cases on devices that cannot be measured get their one launch here, without a worker.
void settle_unsupported(schema::RunRecord& record, const suite::DeviceList& devices) {
  for (schema::PlannedCase& planned : record.run.plan) {
    const std::string reason = suite::why_unsupported(planned.spec, devices);
    if (reason.empty()) continue;
    schema::Launch launch;
    launch.status = schema::Status::unsupported;
    launch.failure = schema::Failure{"device", reason, ""};
    launch.started_at = base::utc_timestamp();
    planned.repeats = 1;
    record.launches[planned.id] = {launch};
  }
}

schema::RunRecord make_record(const RunOptions& options, const suite::Settings& settings,
                              suite::CasePlan plan, const std::string& title, schema::HostInfo host,
                              Accelerators& accelerators) {
  schema::RunRecord record;
  record.tool = schema::tool_info();
  record.host = std::move(host);
  record.run.id = base::random_hex(kRunIdLength);
  record.run.started_at = base::utc_timestamp();
  record.run.status = "partial";
  for (const std::string& word : options.argv) record.run.argv.push_back(report::hide_home(word));
  record.run.seed = settings.count("seed").value_or(0);
  record.run.suite = title;
  record.run.price_dollars = settings.number("price");
  record.run.strict = settings.flag("strict");
  record.run.plan = std::move(plan.cases);
  record.run.definitions = std::move(plan.definitions);
  settle_unsupported(record, accelerators.list());
  record.host.accelerators = accelerators.known();
  require_countable(record);
  return record;
}

void require_loops(const suite::Settings& settings, const schema::RunRecord& record) {
  if (settings.has("output")) throw settings.error("plain", "stands instead of --output; leave out one");
  std::set<schema::DeviceId> devices;
  for (const schema::PlannedCase& planned : record.run.plan) {
    if (!devices.insert(planned.spec.device).second)
      throw settings.error("plain", "prints a line a device, and " + planned.id +
                                        " is not the first case on its own; leave one a device");
    if (!planned.spec.iterations)
      throw settings.error("plain",
                           "prints the time of a loop; add --iterations N (missing in " + planned.id + ")");
  }
}

// Every case has been settled without a launch: its device is not here.
bool nothing_can_run(const schema::RunRecord& record) {
  return record.launches.size() == record.run.plan.size();
}

// What a run of this plan ends with at best. IS_WHOLE: no case is still to be added.
base::ExitCode plan_exit_code(const schema::RunRecord& record, bool is_whole) {
  const bool none = is_whole && nothing_can_run(record);
  const bool refused = none || (record.run.strict && !record.launches.empty());
  return refused ? base::ExitCode::no_device : base::ExitCode::ok;
}

base::log::Level log_level(const suite::Settings& settings) {
  if (settings.flag("quiet")) return base::log::Level::quiet;
  return settings.flag("verbose") ? base::log::Level::verbose : base::log::Level::normal;
}

fs::path report_path(const suite::Settings& settings, const schema::RunRecord& record) {
  if (const auto given = settings.text("export-json")) return *given;
  return fs::path("results") /
         (record.host.name + "-" + base::local_file_timestamp() + "-" + record.run.suite + ".json");
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
  return run_with(options, [](const suite::Settings& settings) -> std::unique_ptr<Sequel> {
    if (wants_gate(settings)) return std::make_unique<Gate>(settings);
    return std::make_unique<Sequel>();
  });
}

base::ExitCode run_with(const RunOptions& options, const SequelMaker& make_sequel) {
  const suite::Catalog catalog(base::share_folder());
  std::vector<suite::Suite> suites;
  for (const std::string& name : options.suites) suites.push_back(catalog.load_suite(name));

  suite::Settings settings;
  std::vector<suite::Settings> matrices;
  for (const suite::Suite& one : suites) {
    settings = settings.overlaid_with(one.settings);
    for (const suite::Settings& matrix : one.matrices)
      matrices.push_back(matrix.overlaid_with(options.settings));
  }
  settings = settings.overlaid_with(options.settings);
  base::log::set_up(log_level(settings), use_colour(settings, STDERR_FILENO),
                    settings.text("log-file").value_or(""));

  if (settings.has("resume")) {
    if (!suites.empty())
      throw base::usage_error("--resume takes its suite from the file; name none beside it");
    return resume_run(settings);
  }
  if (suites.empty()) {
    if (!settings.has("model"))
      throw base::usage_error("name a suite or --model; see `mpsbench list suites`");
    matrices.push_back(settings);
  }
  const std::unique_ptr<Sequel> sequel = make_sequel(settings);
  for (suite::Settings& matrix : matrices) sequel->adjust(matrix);
  const fs::path place = settings.text("export-json").value_or("results/x.json");
  schema::HostInfo host = report::capture_host(settings.text("host-name"), place.parent_path());
  Accelerators accelerators;
  const suite::Host here{default_threads(), host.memory_bytes, accelerators.list()};
  suite::CasePlan plan = suite::plan_cases(matrices, catalog, here);
  const std::vector<suite::OpenCase> open = std::move(plan.open);
  schema::RunRecord record =
      make_record(options, settings, std::move(plan), suite_title(suites), std::move(host), accelerators);
  for (const std::string& reason : accelerators.passed_over(record.run.plan))
    base::log::warn("not measured: " + reason);
  if (settings.flag("plain")) require_loops(settings, record);
  if (settings.flag("dry-run")) {
    if (open.empty()) sequel->prepare(record);
    std::fputs((plan_text(record) + open_text(open)).c_str(), stdout);
    return plan_exit_code(record, open.empty());
  }
  if (open.empty() && nothing_can_run(record)) {
    throw base::Error(base::ErrorKind::no_device,
                      record.launches.begin()->second.front().failure.value().message);
  }
  return start_session(
      record, report_path(settings, record), settings,
      [&] {
        if (open.empty()) return;
        search_batches(record, open, here);
        require_countable(record);
      },
      *sequel);
}

}  // namespace mpsbench::cli
