// The options of the whole run, read once. The options of its cases are in its plan.
#pragma once

#include "schema/gate.hpp"
#include "schema/run_info.hpp"
#include "suite/settings.hpp"
#include "supervise/launcher.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {

struct Options {
  schema::Purpose purpose = schema::Purpose::plain;
  std::vector<std::string> argv;                // for the report
  std::optional<std::filesystem::path> report;  // the file that the user gave
  std::vector<std::filesystem::path> outputs;   // the files of --output
  std::optional<std::string> host_name;
  std::int64_t seed = 0;
  std::optional<double> price_dollars;
  std::optional<std::int64_t> epochs_projected;
  std::vector<double> percentiles;  // in rising order
  bool is_strict = false;
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
