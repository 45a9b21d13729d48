// Gates: runs that are compared, with a verdict. What they judge, and their settings.
#pragma once

#include "schema/field_json.hpp"
#include "schema/mode.hpp"

#include <array>
#include <optional>
#include <string>

namespace mpsbench::schema {

// What a gate judges. Smaller is better for all of them.
enum class GatedMetric { step, latency_p99, first_token, peak_memory, energy };

struct GatedMetricRow {
  GatedMetric value;
  std::string_view name;
  bool ModeRow::* trait = nullptr;  // of the modes whose cases have it; null: all have
  const char* cure = "";            // adds such a mode

  [[nodiscard]] constexpr bool is_of(Mode mode) const { return trait == nullptr || row_of(mode).*trait; }
};

template <>
struct ClosedSet<GatedMetric> {
  static constexpr const char* kWhat = "metric";
  static constexpr std::array kRows{
      GatedMetricRow{GatedMetric::step, "step"},
      GatedMetricRow{GatedMetric::latency_p99, "latency-p99", &ModeRow::has_latency, "--mode infer"},
      GatedMetricRow{GatedMetric::first_token, "first-token", &ModeRow::generates, "--mode generate"},
      GatedMetricRow{GatedMetric::peak_memory, "peak-memory"}, GatedMetricRow{GatedMetric::energy, "energy"}};
};

// The allowed range of a threshold, the smallest change that matters.
inline constexpr double kLeastThreshold = 1e-6;
inline constexpr double kMostThreshold = 1;

// A metric that a gate judges, and the smallest change of it that matters.
struct GateOn {
  GatedMetric metric = GatedMetric::step;
  std::optional<double> threshold;

  bool operator==(const GateOn&) const = default;
};

template <>
inline constexpr auto kFields<GateOn> = table(
    field<&GateOn::metric>({"What is judged."}),
    field<&GateOn::threshold>({"The smallest change of this metric that matters. Null: the case's threshold is used.",
                               "1",
                               {kLeastThreshold, kMostThreshold}}));

// The baseline's report file. The SHA-256 was taken when the run began.
struct BaselineFile {
  std::string path, sha256;

  bool operator==(const BaselineFile&) const = default;
};

template <>
inline constexpr auto kFields<BaselineFile> =
    table(field<&BaselineFile::path>({"With ~ for the home folder."}),
          field<&BaselineFile::sha256>({.meaning = "Taken when the run began.", .form = &kSha256Form}));

struct GateInfo {
  std::optional<BaselineFile> baseline;
  double alpha = 0.01, budget_seconds = 600;
  bool fail_on_regression = false, fail_on_undecided = false, force = false, is_extended = false;

  bool operator==(const GateInfo&) const = default;
};

template <>
inline constexpr auto kFields<GateInfo> = table(
    "gate", field<&GateInfo::baseline>({"Null: the run is compared with another worker's run."}),
    field<&GateInfo::alpha>({"Chance of one or more false verdicts over all cases.", "1", {kAboveZero, 1}}),
    field<&GateInfo::budget_seconds>(
        {"Time for launches beyond the planned ones.", "s", {0, std::numeric_limits<double>::max()}}),
    field<&GateInfo::fail_on_regression>({"Whether slower cases decide the exit code."}),
    field<&GateInfo::fail_on_undecided>({"Whether undecided cases do, too."}),
    field<&GateInfo::force>({"Whether reports are compared that are not comparable."}),
    field<&GateInfo::is_extended>({"Whether the plan already has the additional launches that the verdicts need."}));

}  // namespace mpsbench::schema
