// The report file, schema version 1. These structs define it; configs/schema/report.schema.json is tested
// against them. Quantities are SI. Null means "not available", and notes says why.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/gate_info.hpp"
#include "schema/gated_metric.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/launcher_info.hpp"
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
  std::map<std::string, std::string> notes;  // why "metrics.energy_joules_per_row" is null, by such a path
  std::optional<Published> published;        // if set, there are no launches; metrics are as published
};

// The allowed range of a threshold, the smallest change that matters.
inline constexpr double kLeastThreshold = 1e-6;
inline constexpr double kMostThreshold = 1;

// Batches of which the search for the best one could not tell which it is.
struct TiedBatches {
  std::int64_t least = 0;
  std::int64_t most = 0;
  double half_width = 0;  // of the 95 % interval of the rates' differences, relative
};

// What a run was asked to do with one case. This is enough to run the case again.
struct PlannedCase {
  std::string id;
  std::string definition_sha256;
  CaseSpec spec;
  MeasureSpec measure;  // max_time_seconds is the share of one launch
  std::int64_t repeats = 3;
  std::int64_t repeated = 0;               // of these, launches that repeat disturbed ones
  double timeout_seconds = 600;            // limit of one launch
  double rendezvous_timeout_seconds = 60;  // for its processes to meet each other, if there are several
  double cooldown_seconds = 0;             // pause before each launch
  bool is_cooldown_auto = false;           // the pause lasts until the machine is calm
  bool is_bound = false;  // above the largest batch that ran; running out of memory is no failure here
  std::optional<TiedBatches> tied_batches;  // only if the search left open which batch is the best
  std::optional<double> threshold;          // smallest change that matters in a comparison
  std::vector<GateOn> gate_on;              // what a comparison judges; empty: the step time
  std::optional<std::string> weights_path;
  std::optional<std::string> data_path;        // folder with the data set's files
  std::optional<std::string> vocabulary_path;  // only for texts
  std::optional<std::string> dump_first_step_path;
};

// What fewer threads did for a case, tried before the run because other programs kept cores busy.
struct FewerThreads {
  std::string id;
  std::int64_t usual_threads = 0;
  double usual_step_seconds = 0;
  std::int64_t threads = 0;
  double step_seconds = 0;
};

struct RunInfo {
  std::string id;
  std::string started_at;
  std::optional<std::string> finished_at;
  RunStatus status = RunStatus::partial;
  std::vector<std::string> argv;
  std::int64_t seed = 0;
  std::string suite;                     // part of the report's file name: "quick", "adhoc"
  std::optional<Purpose> purpose;        // null: an older version wrote it, or several runs are merged
  std::optional<GateInfo> gate;          // only for the purposes baseline and versus
  std::optional<LauncherInfo> launcher;  // null: mpsbench was started once, or several runs are merged
  bool strict = false;
  bool repeats_disturbed = false;                     // unless --repeats fixes the number of launches
  std::optional<double> planned_within_seconds;       // the time limit that the launches were planned for
  std::optional<FewerThreads> fewer_threads;          // only if they were clearly faster
  std::optional<double> price_dollars;                // price of the machine
  std::optional<std::int64_t> epochs_projected;       // how many epochs --epochs-projected asked for
  std::vector<double> percentiles;                    // that --percentiles asked for, in rising order
  std::vector<PlannedCase> planned;                   // in JSON: "plan" (only the ids) and "planned"
  std::map<std::string, nlohmann::json> definitions;  // by definition_sha256; --resume needs no model file
};

// A run so far, as the journal holds it; metrics are not computed yet.
struct RunRecord {
  ToolInfo tool;
  RunInfo run;
  HostInfo host;
  std::map<std::string, std::vector<Launch>> launches;  // by case id, in the order in which they ran
  // What is known of launches that have not ended: the front was killed, or they are to run again.
  std::map<std::string, std::vector<Launch>> unfinished{};
};

struct Report {
  ToolInfo tool;
  RunInfo run;
  HostInfo host;
  std::vector<CaseResult> cases;
};

// Returns how long a launch may measure. Whole epochs and counted iterations are limited only by the launch's
// timeout.
[[nodiscard]] double measuring_limit_seconds(const PlannedCase& planned);

// Returns the key of DOCUMENT in definitions. It depends only on the values, not on the file's layout.
[[nodiscard]] std::string definition_sha256(const nlohmann::json& document);

[[nodiscard]] nlohmann::ordered_json to_json(const PlannedCase& planned);
[[nodiscard]] nlohmann::ordered_json to_json(const RunInfo& run);
[[nodiscard]] nlohmann::ordered_json to_json(const CaseResult& result);
[[nodiscard]] nlohmann::ordered_json to_json(const Report& report);
// READER must be at schema_version. Throws Error(usage) if it is not kReportVersion.
void require_report_version(const base::Reader& reader);
[[nodiscard]] RunInfo read_run_info(base::Reader reader);
[[nodiscard]] CaseResult read_case_result(base::Reader reader);
// READER must be at the document's root. Throws an Error(usage) with the path of what is wrong. That includes
// an unknown schema_version and parts that do not belong together.
[[nodiscard]] Report read_report(base::Reader reader);

}  // namespace mpsbench::schema
