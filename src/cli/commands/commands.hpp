// The commands that measure, show and check. Each function adds one to APP; if the command line names it,
// CHOSEN runs it.
#pragma once

#include "base/error.hpp"
#include "run/packages/package_cache.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

using Action = std::function<base::ExitCode()>;

// Measures what the options ask for. ARGV is the command line, for the report.
void add_run_command(CLI::App& app, const std::vector<std::string>& argv, Action& chosen);
// Runs like `run`, but with ten times the repeats of each case, and records how much two runs of the same
// work differ on this machine.
void add_calibrate_command(CLI::App& app, const std::vector<std::string>& argv, Action& chosen);
// Shows models, suites, devices, data sets, formats and packages.
void add_list_command(CLI::App& app, Action& chosen);
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
// Shows how much the cache of packages has, and removes them.
void add_cache_command(CLI::App& app, Action& chosen);

// Describes FILE: "model vgg16, 138,357,544 parameters". Throws Error(usage) if it is not valid.
[[nodiscard]] std::string validate_file(const std::string& file);
// Returns nullopt if no package was ever made. Throws Error(usage) if the cache's folder is not safe.
[[nodiscard]] std::optional<run::PackageCache> existing_cache();

}  // namespace mpsbench::cli
