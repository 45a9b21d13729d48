// What the user asks for: suites, overlaid with the options of the command line; and how the whole run goes.
#pragma once

#include "schema/gate.hpp"
#include "schema/run_info.hpp"
#include "suite/catalog.hpp"
#include "suite/settings.hpp"
#include "supervise/launcher.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

struct RunRequest {
  std::string title;                      // the names of the suites, for the report's name
  suite::Settings settings;               // for the whole run
  std::vector<suite::Settings> matrices;  // empty if the user named neither a suite nor a model
};

// OPTIONS of the command line override those of the suites. Throws Error(usage) if a suite is invalid or does
// not exist.
[[nodiscard]] RunRequest read_request(const suite::Catalog& catalog, const std::vector<std::string>& suites,
                                      const suite::Settings& options);

struct Options {
  schema::Purpose purpose = schema::Purpose::plain;
  std::vector<std::string> argv;                // for the report
  std::optional<std::filesystem::path> report;  // the file that the user gave
  std::vector<std::filesystem::path> outputs;   // the files of --output
  bool measures_ceilings = false;
  bool reports_losses = false;
  std::optional<double> timeout_seconds;  // of a launch
  std::string repeats_origin;             // for messages

  std::optional<supervise::LauncherPlace> place;  // null: no launcher has started several fronts

  std::string baseline;           // with purpose baseline: the file of the earlier report
  std::string versus;             // with purpose versus: the other worker
  schema::GateInfo gate;          // with both purposes; without the baseline's file
  bool has_own_max_time = false;  // --max-time is on the command line
};

// Throws Error(usage) for options that cannot be combined.
[[nodiscard]] Options read_run_options(const suite::Settings& settings);
[[nodiscard]] Options read_calibration_options(const suite::Settings& settings);

}  // namespace mpsbench::run
