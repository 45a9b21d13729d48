// The commands that measure, show and check. Each function adds one to APP; if the command line names it,
// CHOSEN runs it.
#pragma once

#include "base/error.hpp"
#include "run/packages/package_cache.hpp"
#include "schema/device_status.hpp"
#include "schema/host.hpp"
#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::cli {

using Action = std::function<base::ExitCode()>;

// Measures what the options ask for. ARGV is the command line, for the report.
void add_run_command(CLI::App& app, const std::vector<std::string>& argv, Action& chosen);
// Runs like `run`, but with ten times the repeats of each case, and records how much two runs of the same
// work differ on this machine.
void add_calibrate_command(CLI::App& app, const std::vector<std::string>& argv, Action& chosen);
// Shows models, suites, devices, data sets, formats and packages.
void add_list_command(CLI::App& app, Action& chosen);
// Shows how much the cache of packages has, and removes them.
void add_cache_command(CLI::App& app, Action& chosen);
// Shows what this machine can measure and what would disturb a measurement, with what to do about it.
void add_doctor_command(CLI::App& app, Action& chosen);
// Replaces this process with mpsbench-ops.
void add_ops_command(CLI::App& app, Action& chosen);
// Checks models, suites, reports and journals. Does not need LibTorch.
void add_validate_command(CLI::App& app, Action& chosen);
// Shows what changed on one machine, or machines and devices side by side.
void add_compare_command(CLI::App& app, Action& chosen);
// Writes reports in the formats of other programs.
void add_export_command(CLI::App& app, Action& chosen);
// Joins the reports of several runs of one machine.
void add_merge_command(CLI::App& app, Action& chosen);
// Turns files of other programs into reports.
void add_import_command(CLI::App& app, Action& chosen);

// Adds a command that calls RUN with its own OPTIONS. Returns both, so that the caller can add words to the
// command line.
template <typename Options>
std::pair<CLI::App&, Options&> add_command(CLI::App& app, Action& chosen, const char* name, const char* help,
                                           base::ExitCode (*run)(const Options&)) {
  CLI::App* command = app.add_subcommand(name, help);
  const auto options = std::make_shared<Options>();
  command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
  return {*command, *options};
}

// Describes FILE: "model vgg16, 138,357,544 parameters". Throws Error(usage) if it is not valid.
[[nodiscard]] std::string validate_file(const std::string& file);
// Returns nullopt if no package was ever made. Throws Error(usage) if the cache's folder is not safe.
[[nodiscard]] std::optional<run::PackageCache> existing_cache();
// Gives the CPU its model's name and the machine's memory.
void describe_cpu(std::vector<schema::DeviceStatus>& devices, const schema::HostInfo& host);
// Returns what `mpsbench list devices` shows, one object per device: what the worker says, and what only the
// front reads of the machine.
[[nodiscard]] nlohmann::ordered_json device_entries(const std::vector<schema::DeviceStatus>& devices,
                                                    const schema::HostInfo& host);

// Returns the output of --dry-run: one line per case with id, launches, parameters, minimum memory and time, one for
// each case of OPEN, and the total, in which these count with the network's own batch size. If FILLED_SECONDS is set,
// the run adds launches until then.
[[nodiscard]] std::string plan_text(const schema::RunRecord& record, const std::vector<suite::OpenCase>& open = {},
                                    const suite::Host& host = {}, std::optional<double> filled_seconds = {});

}  // namespace mpsbench::cli
