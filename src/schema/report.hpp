// The report file, schema version 1. These structs are the authority; configs/schema/report.schema.json is
// tested against them. Quantities are SI; null means "could not be had" and notes says why.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/gate_info.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"
#include "schema/metrics.hpp"
#include "schema/published.hpp"
#include "schema/purpose.hpp"
#include "schema/run_status.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

inline constexpr std::int64_t kReportVersion = 1;

struct CaseResult {
  std::string id;
  std::string definition_sha256;
  CaseSpec spec;
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::vector<Launch> launches;
  Metrics metrics;
  std::vector<std::string> flags;
  std::map<std::string, std::string> notes;  // "metrics.energy_joules_per_row": why it is null
  std::optional<Published> published;        // then there are no launches, and the metrics are as published
};

// Bounds of what may be called the least change that matters.
inline constexpr double kLeastThreshold = 1e-6;
inline constexpr double kMostThreshold = 1;

// What a run was asked to do with one case; enough to run it again.
struct PlannedCase {
  std::string id;
  std::string definition_sha256;
  CaseSpec spec;
  MeasureSpec measure;  // max_time_seconds is a launch's share
  std::int64_t repeats = 3;
  double timeout_seconds = 600;  // of one launch
  double cooldown_seconds = 0;   // before each launch
  bool is_bound = false;         // above the largest batch that ran: its running out of memory is no failure
  std::optional<double> threshold;  // least change of its time that matters when it is compared
  std::optional<std::string> weights_path;
  std::optional<std::string> data_path;        // folder of the data set's files
  std::optional<std::string> vocabulary_path;  // of texts
  std::optional<std::string> dump_first_step_path;
};

struct RunInfo {
  std::string id;
  std::string started_at;
  std::optional<std::string> finished_at;
  RunStatus status = RunStatus::partial;
  std::vector<std::string> argv;
  std::int64_t seed = 0;
  std::string suite;               // for the report's name: "quick", "adhoc"
  std::optional<Purpose> purpose;  // null: an earlier version wrote it, or it is of several runs
  std::optional<GateInfo> gate;    // of purposes baseline and versus
  bool strict = false;
  std::optional<double> price_dollars;                // of the machine
  std::vector<PlannedCase> planned;                   // in the report as "plan" (ids) and "planned" (whole)
  std::map<std::string, nlohmann::json> definitions;  // by definition_sha256, so that --resume needs no file
};

// A run as far as it has come: what the journal holds, before metrics are worked out.
struct RunRecord {
  ToolInfo tool;
  RunInfo run;
  HostInfo host;
  std::map<std::string, std::vector<Launch>> launches;  // by case id, in the order they ran
};

struct Report {
  ToolInfo tool;
  RunInfo run;
  HostInfo host;
  std::vector<CaseResult> cases;
};

// What a launch may take to measure: whole epochs and counted iterations have no limit but that of
// the launch itself.
[[nodiscard]] double measuring_limit_seconds(const PlannedCase& planned);

// The key of DOCUMENT in definitions: of its values, whatever their layout was.
[[nodiscard]] std::string definition_sha256(const nlohmann::json& document);

[[nodiscard]] nlohmann::ordered_json to_json(const PlannedCase& planned);
[[nodiscard]] nlohmann::ordered_json to_json(const RunInfo& run);
[[nodiscard]] nlohmann::ordered_json to_json(const CaseResult& result);
[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);
// Throws Error(usage) for another schema_version than ours, at which READER stands.
void require_report_version(const base::Reader& reader);
[[nodiscard]] RunInfo read_run_info(base::Reader reader);
[[nodiscard]] CaseResult read_case_result(base::Reader reader);
// READER at the document's root. Throws Error(usage) with the path of what is wrong, an unknown
// schema_version and parts that do not belong together included.
[[nodiscard]] Report read_report(base::Reader reader);

}  // namespace mpsbench::schema
