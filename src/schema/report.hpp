// The report file, schema version 1. The structs and tables here and in the headers that it includes define
// it, and so configs/schema/report.schema.json. Quantities are SI. Null means "not available", and notes says
// why.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/host.hpp"
#include "schema/launch.hpp"
#include "schema/metrics.hpp"
#include "schema/published.hpp"
#include "schema/run_info.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::schema {

struct CaseResult {
  std::string id;
  std::string definition_sha256;
  CaseSpec spec;
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::vector<Launch> launches;
  Metrics metrics;
  std::vector<std::string> flags;
  std::map<std::string, std::string> notes;
  std::optional<Published> published;
};

template <>
inline constexpr auto kFields<CaseResult> =
    table("case", field<&CaseResult::id>({"The case's id."}),
          field<&CaseResult::definition_sha256>({"Its network, among the definitions."}),
          field<&CaseResult::spec>({"Everything that decides which work is measured."}),
          field<&CaseResult::status>({"How it ended."}),
          field<&CaseResult::failure>({"Why it did not end well; null if it did."}),
          field<&CaseResult::launches>({"Its launches, in their order."}),
          field<&CaseResult::metrics>({"What follows from the launches that count."}),
          field<&CaseResult::flags>({"What makes it doubtful."}),
          field<&CaseResult::notes>(
              detail({"The reasons why values are null, by path, such as \"metrics.step_seconds.p90\"."})),
          field<&CaseResult::published>(
              {"Figures that others published; then there are no launches. Null: the case was measured here."}));

// Whether a launch stands in LAUNCHES twice, as after a copy of a part of the file. It would count twice.
[[nodiscard]] bool repeats_a_launch(const std::vector<Launch>& launches);

inline void check_read(const CaseResult& result, base::Reader& reader) {
  if (repeats_a_launch(result.launches)) throw reader.at("launches").error("the same launch occurs twice");
  if (result.published && !result.launches.empty())
    throw reader.at("published").error("a published case cannot have launches");
}

// A run so far, as the journal holds it; metrics are not computed yet.
struct RunRecord {
  ToolInfo tool;
  RunInfo run;
  HostInfo host;
  std::map<std::string, std::vector<Launch>> launches;  // by case id, in the order in which they ran
  // What is known of launches that have not ended: the front was killed, or they are to run again.
  std::map<std::string, std::vector<Launch>> unfinished{};
};

struct ReportVersion {
  static constexpr std::int64_t kNumber = 1;
};

template <>
struct Json<ReportVersion> {
  static nlohmann::ordered_json write(ReportVersion) { return ReportVersion::kNumber; }
  static ReportVersion read(const base::Reader& reader, const FieldInfo&);
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"const", ReportVersion::kNumber}}; }
};

struct Report {
  ToolInfo tool;
  RunInfo run;
  HostInfo host;
  std::vector<CaseResult> cases;
  ReportVersion schema_version{};
};

template <>
inline constexpr auto kFields<Report> =
    table(field<&Report::schema_version>({"Of the report's format."}),
          field<&Report::tool>({"The program that wrote it."}), field<&Report::run>({"What was asked for."}),
          field<&Report::host>({"The machine."}), field<&Report::cases>({"The results, in the order of the plan."}));

// The cases must be those of the plan.
void check_read(const Report& report, const base::Reader& reader);

// Whether to read values of FieldInfo::is_detail and sensors that are not compared. Leaving them out halves
// the time of comparing. They are then empty and unchecked, unless the case is written in another way than
// this program's.
enum class Details { read, leave_out };

// Reads a report from TEXT, one case at a time, so that a large one needs little memory. Calls TAKE with each
// case and the number of bytes passed, and returns the rest of the report. FILE is its name in messages.
[[nodiscard]] Report stream_report(std::string_view text, const std::string& file, Details details,
                                   const std::function<void(CaseResult, std::size_t)>& take);
// Throws Error(usage), which names the file and the place in it, if FILE is not a report.
[[nodiscard]] Report load_report(const std::filesystem::path& file);
// Writes like base::write_file().
void save_report(const Report& report, const std::filesystem::path& file, const std::filesystem::path& like = {});

// Returns configs/schema/report.schema.json.
[[nodiscard]] nlohmann::ordered_json report_json_schema();

}  // namespace mpsbench::schema
