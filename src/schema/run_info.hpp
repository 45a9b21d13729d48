// What a report says about its run, and which cases it planned.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/field_json.hpp"
#include "schema/gate.hpp"
#include "schema/measure_spec.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// Batches of which the search for the best one could not tell which it is.
struct TiedBatches {
  std::int64_t least = 0, most = 0;
  double half_width = 0;
};

template <>
inline constexpr auto kFields<TiedBatches> =
    table(field<&TiedBatches::least>(from_one("The smallest of them.")),
          field<&TiedBatches::most>(from_one("The largest of them.")),
          field<&TiedBatches::half_width>(
              {"Of the 95 % interval of their rates' differences, relative.", "1", {0, kInfinite}}));

inline void check_read(const TiedBatches& tied, const base::Reader& reader) {
  if (tied.least > tied.most) throw reader.error("least is above most");
}

// What a run was asked to do with one case. This is enough to run the case again.
struct PlannedCase {
  std::string id, definition_sha256;
  CaseSpec spec;
  MeasureSpec measure;  // max_time_seconds is the share of one launch
  std::int64_t repeats = 3, repeated = 0;
  double timeout_seconds = 600, rendezvous_timeout_seconds = 60, cooldown_seconds = 0;
  bool is_bound = false;
  std::optional<TiedBatches> tied_batches;
  std::optional<double> threshold;
  std::vector<GateOn> gate_on;
  std::optional<std::string> weights_path, data_path, vocabulary_path, dump_first_step_path;
};

template <>
inline constexpr auto kFields<PlannedCase> = table(
    "planned_case", field<&PlannedCase::id>({"The case's id."}),
    field<&PlannedCase::definition_sha256>({"Its network, among the definitions."}),
    field<&PlannedCase::spec>({"Everything that decides which work is measured."}),
    field<&PlannedCase::measure>({"How a launch is measured."}), field<&PlannedCase::repeats>({"Number of launches."}),
    field<&PlannedCase::repeated>({"Of these, the launches that repeat disturbed ones."}),
    field<&PlannedCase::timeout_seconds>({"Most time of a launch.", "s"}),
    field<&PlannedCase::rendezvous_timeout_seconds>(
        {"How long the processes of a launch wait to meet each other.", "s"}),
    field<&PlannedCase::cooldown_seconds>({"Pause before each launch.", "s"}),
    field<&PlannedCase::is_bound>(
        {"The batch size is above the largest one that ran, so running out of memory is no failure."}),
    field<&PlannedCase::tied_batches>({"The batches of which the search for the best one could not tell which it is. "
                                       "Null: nothing was searched, or it is certain."}),
    field<&PlannedCase::threshold>(
        {"The smallest change that matters in a comparison. Null: the comparison's own threshold is used.",
         "1",
         {kLeastThreshold, kMostThreshold}}),
    field<&PlannedCase::gate_on>({"What a comparison judges. Empty: the step time."}),
    field<&PlannedCase::weights_path>({"File of --weights."}),
    field<&PlannedCase::data_path>({"Folder with the data set's files."}),
    field<&PlannedCase::vocabulary_path>({"Vocabulary; only for texts."}),
    field<&PlannedCase::dump_first_step_path>({"File of --dump-first-step."}));

inline void check_read(const PlannedCase& planned, base::Reader& reader) {
  for (const GateOn& gate : planned.gate_on) {
    if (std::ranges::count(planned.gate_on, gate.metric, &GateOn::metric) > 1)
      throw reader.at("gate_on").error("the metric " + to_string(gate.metric) + " occurs twice");
  }
}

// Returns how long a launch may measure. Whole epochs and counted iterations are limited only by the launch's
// timeout.
[[nodiscard]] inline double measuring_limit_seconds(const PlannedCase& planned) {
  return planned.spec.epochs || planned.spec.iterations ? planned.timeout_seconds : planned.measure.max_time_seconds;
}

// How far a run got. partial: a launch failed or has not run yet. interrupted: the user or a signal ended the
// run early.
enum class RunStatus { complete, partial, interrupted };

template <>
struct ClosedSet<RunStatus> : NameSet<RunStatus, "run status", "complete", "partial", "interrupted"> {};

// Why a run was made. --resume continues the run with the same purpose.
enum class Purpose { plain, baseline, versus, calibrate, search };

struct PurposeRow {
  Purpose value;
  std::string_view name;
  std::string_view help;  // completes the sentence "the run ..." in messages
  bool is_resumable;
};

template <>
struct ClosedSet<Purpose> {
  static constexpr const char* kWhat = "purpose";
  static constexpr std::array kRows{
      PurposeRow{Purpose::plain, "plain", "measures", true},
      PurposeRow{Purpose::baseline, "baseline", "is compared with an earlier report", true},
      PurposeRow{Purpose::versus, "versus", "takes turns with another worker", false},
      PurposeRow{Purpose::calibrate, "calibrate", "records how far apart equal runs are", true},
      PurposeRow{Purpose::search, "search", "looks for a batch size", true}};
};

// The launcher of a run that several fronts work on, one a rank.
struct LauncherInfo {
  std::string name;
  std::int64_t ranks = 0, hosts = 1;

  bool operator==(const LauncherInfo&) const = default;
};

template <>
inline constexpr auto kFields<LauncherInfo> =
    table("launcher", field<&LauncherInfo::name>({"Such as torchrun."}),
          field<&LauncherInfo::ranks>(from_one("The processes that it started.")),
          field<&LauncherInfo::hosts>(from_one("The machines that they are on.")));

// Returns text such as "torchrun with 4 processes on 2 machines".
[[nodiscard]] std::string words_of(const LauncherInfo& launcher);

// The definition of a loop of another program, which the library timed (library/timing.hpp). It stands in the
// report in place of a network's definition, because nothing is known of what the loop computes.
[[nodiscard]] nlohmann::json timed_loop_definition(const std::string& name);
[[nodiscard]] bool is_timed_loop(const nlohmann::json& definition);

// What fewer threads did for a case, tried before the run because other programs kept cores busy.
struct FewerThreads {
  std::string id;
  std::int64_t usual_threads = 0;
  double usual_step_seconds = 0;
  std::int64_t threads = 0;
  double step_seconds = 0;
};

template <>
inline constexpr auto kFields<FewerThreads> =
    table(field<&FewerThreads::id>({"The case that was tried."}),
          field<&FewerThreads::usual_threads>({"The usual number of threads."}),
          field<&FewerThreads::usual_step_seconds>({"Time of a step with these.", "s"}),
          field<&FewerThreads::threads>({"The number that was faster."}),
          field<&FewerThreads::step_seconds>({"Time of a step with it.", "s"}));

// Model definitions by their SHA-256; --resume needs no model file.
using Definitions = std::map<std::string, nlohmann::json>;

// Returns the key of DOCUMENT in definitions. It depends only on the values, not on the file's layout.
[[nodiscard]] std::string definition_sha256(const nlohmann::json& document);

template <>
struct Json<Definitions> {
  static nlohmann::ordered_json write(const Definitions& definitions) { return definitions; }
  static Definitions read(const base::Reader& reader, const FieldInfo&) {
    Definitions definitions;
    base::Reader all = reader;
    for (const std::string& sha256 : all.keys()) {
      const base::Reader definition = all.at(sha256);
      if (definition_sha256(definition.value()) != sha256)
        throw definition.error("does not match its SHA-256; the definition was changed after the run");
      definitions[sha256] = definition.value();
    }
    return definitions;
  }
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"type", "object"}}; }
};

struct RunInfo {
  std::string id, started_at;
  std::optional<std::string> finished_at;
  RunStatus status = RunStatus::partial;
  std::vector<std::string> argv;
  std::int64_t seed = 0;
  std::string suite;
  std::optional<Purpose> purpose;  // null: several runs are merged
  std::optional<GateInfo> gate;
  std::optional<LauncherInfo> launcher;  // null: mpsbench was started once, or several runs are merged
  bool strict = false, repeats_disturbed = false;
  std::optional<double> planned_within_seconds;
  std::optional<FewerThreads> fewer_threads;
  std::optional<double> price_dollars;
  std::optional<std::int64_t> epochs_projected;
  std::vector<double> percentiles;
  std::vector<PlannedCase> planned;  // in JSON: "plan" (only the ids) and "planned"
  Definitions definitions;           // by definition_sha256; --resume needs no model file
};

template <>
inline constexpr auto kFields<RunInfo> = table(
    "run", field<&RunInfo::id>({"The run's own."}), field<&RunInfo::started_at>({"ISO 8601 in UTC."}),
    field<&RunInfo::finished_at>({"Null: it is not finished."}),
    field<&RunInfo::status>({"Whether all launches have run."}), field<&RunInfo::argv>({"The command line."}),
    field<&RunInfo::seed>({"Of the launches' order."}), field<&RunInfo::suite>({"Name of the suite, or adhoc."}),
    field<&RunInfo::purpose>({"Why the run was made. Null: several runs are merged."}),
    field<&RunInfo::gate>({"Only for the purposes baseline and versus."}),
    field<&RunInfo::launcher>({"What started mpsbench once a rank. Null: nothing did, or several runs are merged."}),
    field<&RunInfo::strict>({"Whether --strict was given."}),
    field<&RunInfo::repeats_disturbed>({"The run repeats disturbed launches. False: --repeats fixes their number."}),
    field<&RunInfo::planned_within_seconds>(
        {"The time limit that the launches were planned for. Null: their number was given.", "s"}),
    field<&RunInfo::fewer_threads>({"What fewer threads did for a case before the run, because other programs kept "
                                    "cores busy. Null: they were not tried, or not clearly faster."}),
    field<&RunInfo::price_dollars>({"Price of the machine."}),
    field<&RunInfo::epochs_projected>({"The number of --epochs-projected."}),
    field<&RunInfo::percentiles>(
        {.meaning = "The percentiles that --percentiles asked for, in rising order.", .bounds = {0, 100}}),
    field<&RunInfo::planned>({"The cases, with everything that is needed to run them again."}),
    field<&RunInfo::definitions>(
        {"Model definitions by their SHA-256. A loop of another program has only a name and timed_loop."}));

// JSON also has the key "plan", with only the ids of "planned".
template <>
struct Json<RunInfo> : ObjectJson<RunInfo> {
  static nlohmann::ordered_json write(const RunInfo& run);
  static RunInfo read(base::Reader reader, const FieldInfo& about);
  static nlohmann::ordered_json definition();
};

}  // namespace mpsbench::schema
