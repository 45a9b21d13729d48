#include "schema/report.hpp"

#include "base/atomic_file.hpp"
#include "base/json_cursor.hpp"
#include "base/json_file.hpp"
#include "base/mapped_file.hpp"

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

void require_planned_cases(const std::string& file, const Report& report) {
  const std::vector<PlannedCase>& plan = report.run.planned;
  for (std::size_t i = 0; i < std::max(plan.size(), report.cases.size()); ++i) {
    const bool fits = i < plan.size() && i < report.cases.size() && report.cases[i].id == plan[i].id &&
                      report.cases[i].definition_sha256 == plan[i].definition_sha256;
    if (!fits)
      throw base::usage_error(file + ": $.cases: must have the cases of $.run.plan, each once and in the same order");
  }
}

// The $defs of the types' schemas.
template <typename... Types>
ordered_json definitions() {
  ordered_json all;
  ((all[kFields<Types>.definition] = Json<Types>::definition()), ...);
  return all;
}

// Returns the text of the object at CURSOR with the default value in place of each detail.
template <typename T>
std::string object_without_details(base::JsonCursor& cursor) {
  std::string text;
  cursor.members([&](std::string_view key) {
    text += (text.empty() ? "{\"" : ",\"") + std::string(key) + "\":";
    const auto* const field =
        std::ranges::find(kFields<T>, key, [](const auto& one) { return std::string_view(one.key); });
    if (field == kFields<T>.end()) {
      text += cursor.take();
    } else if (field->about.is_detail) {
      text += field->member.visit([](auto member) { return to_json(T().*member).dump(); });
    } else if (std::is_same_v<T, CaseResult> && key == "launches") {
      std::string launches;
      cursor.items([&] { launches += (launches.empty() ? "" : ",") + object_without_details<Launch>(cursor); });
      text += "[" + launches + "]";
    } else {
      text += cursor.take();
    }
  });
  return text.empty() ? "{}" : text + "}";
}

// Building a document of the details would take most of the time. Reading a case as it is says what is wrong with it.
std::string case_without_details(std::string_view text) {
  base::JsonCursor cursor(text, "");
  try {
    return object_without_details<CaseResult>(cursor);
  } catch (const base::Error&) {
    return std::string(text);
  }
}

}  // namespace

bool repeats_a_launch(const std::vector<Launch>& launches) {
  const auto is_same = [](const Launch& a, const Launch& b) {
    return a.index == b.index && a.wall_seconds == b.wall_seconds && !a.samples_seconds.empty() &&
           a.started_at == b.started_at && a.samples_seconds == b.samples_seconds;
  };
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (is_same(launches[i], launches[j])) return true;
    }
  }
  return false;
}

ReportVersion Json<ReportVersion>::read(const base::Reader& reader, const FieldInfo&) {
  const nlohmann::json& version = reader.value();
  if (version.is_number_integer() && version == ReportVersion::kNumber) return {};
  throw reader.error("this program reads schema version " + std::to_string(ReportVersion::kNumber) + ", found " +
                     version.dump());
}

void check_read(const Report& report, const base::Reader& reader) {
  require_planned_cases(reader.file(), report);
}

Report stream_report(std::string_view text, const std::string& file, Details details,
                     const std::function<void(CaseResult, std::size_t)>& take) {
  Report report;
  std::set<std::string, std::less<>> seen;
  std::vector<std::string> unknown;
  base::JsonCursor cursor(text, file);
  const auto read_part = [&]<typename T>(T& part, std::string_view part_text, const std::string& path) {
    const nlohmann::json document = base::parse_taken_json(part_text, file);
    part = Json<T>::read(base::Reader(document, file, path), {});
  };
  cursor.members([&](std::string_view key) {
    const auto* const field = std::ranges::find_if(kFields<Report>, [&](const auto& one) { return one.key == key; });
    if (field == kFields<Report>.end()) {
      unknown.emplace_back(key);
      return;
    }
    if (!seen.emplace(key).second)
      throw base::usage_error(file + ": $: the key '" + std::string(key) + "' appears twice");
    if (key != "cases")
      return field->member.visit(
          [&](auto member) { read_part(report.*member, cursor.take(), "$." + std::string(key)); });
    std::size_t index = 0;
    cursor.items([&] {
      const std::string_view text_of_case = cursor.take();
      const std::string path = "$.cases[" + std::to_string(index++) + "]";
      CaseResult result;
      if (details == Details::read) {
        read_part(result, text_of_case, path);
      } else {
        read_part(result, case_without_details(text_of_case), path);
      }
      take(std::move(result), cursor.position());
    });
  });
  cursor.done();
  for (const auto& field : kFields<Report>) {
    if (!seen.contains(field.key)) throw base::usage_error(file + ": $: the key '" + field.key + "' is missing");
  }
  for (const std::string& key : unknown) base::Reader::refuse_unknown(file, "$", key, {seen.begin(), seen.end()});
  return report;
}

Report load_report(const std::filesystem::path& file) {
  const base::MappedFile mapped(file);
  std::vector<CaseResult> cases;
  Report report = stream_report(mapped.text(), file.string(), Details::read,
                                [&](CaseResult result, std::size_t) { cases.push_back(std::move(result)); });
  report.cases = std::move(cases);
  require_planned_cases(file.string(), report);
  return report;
}

void save_report(const Report& report, const std::filesystem::path& file, const std::filesystem::path& like) {
  base::write_file(file, base::to_text(to_json(report), 1) + "\n", like);
}

ordered_json report_json_schema() {
  ordered_json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                      {"$id", "urn:mpsbench:schema:report:1"},
                      {"title", "mpsbench report, schema version 1"},
                      {"description",
                       "Quantities are SI. Null means that a value is not available; the case's notes say "
                       "why, under the path of the value or of its group. x-unit is a value's unit."}};
  schema.update(Json<Report>::definition());
  schema["$defs"] =
      definitions<ToolInfo, RunInfo, GateInfo, LauncherInfo, PlannedCase, CaseSpec, MeasureSpec, HostInfo, Interconnect,
                  Network, Ceiling, LibtorchInfo, CaseResult, Published, Launch, RankResult, SensorRecord, Metrics>();
  return schema;
}

}  // namespace mpsbench::schema
