#include "schema/report.hpp"

#include "base/atomic_file.hpp"
#include "base/json_cursor.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/mapped_file.hpp"

#include <algorithm>
#include <exception>
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

// The value is not written in the way of this program.
struct NotPlain : std::exception {};

template <typename T>
T read_plain(base::JsonCursor& cursor, const FieldInfo& about);

// Expects the keys in the order of the table.
template <typename T>
T read_plain_object(base::JsonCursor& cursor) {
  const auto& table = kFields<T>;
  const auto* next = table.begin();
  const auto skip_absent_to = [&](const auto* field) {
    if (!std::all_of(next, field, [](const auto& absent) { return absent.about.is_absent_when_empty; }))
      throw NotPlain();
  };
  T object;
  cursor.members([&](std::string_view key) {
    const auto* const field = std::find_if(next, table.end(), [&](const auto& one) { return one.key == key; });
    skip_absent_to(field);
    if (field == table.end()) throw NotPlain();
    next = field + 1;
    if (field->about.is_detail) return;
    field->member.visit([&](auto member) {
      object.*member = read_plain<std::remove_cvref_t<decltype(object.*member)>>(cursor, field->about);
    });
  });
  skip_absent_to(table.end());
  if constexpr (requires(base::Reader& reader) { check_read(object, reader); }) {
    static const nlohmann::json kNothing;
    base::Reader nowhere(kNothing, "");
    check_read(object, nowhere);
  }
  return object;
}

// Returns the name of the sensor whose record is next, without passing it.
std::string_view name_of_record(base::JsonCursor cursor) {
  std::string_view name;
  cursor.members([&](std::string_view key) {
    if (key == "name") name = cursor.take();
  });
  if (name.size() < 2 || name.find('\\') != std::string_view::npos) throw NotPlain();
  return name.substr(1, name.size() - 2);
}

template <typename T>
std::vector<T> read_plain_list(base::JsonCursor& cursor) {
  std::vector<T> list;
  cursor.items([&] {
    if constexpr (std::is_same_v<T, SensorRecord>) {
      if (!is_compared(name_of_record(cursor))) return;
    }
    list.push_back(read_plain_object<T>(cursor));
  });
  return list;
}

template <typename T>
constexpr bool kIsListOfObjects = false;
template <typename T>
constexpr bool kIsListOfObjects<std::vector<T>> = HasFields<T>;

// Reads the T at CURSOR without its details (FieldInfo::is_detail). Builds no document of the objects, which
// would take most of the time.
template <typename T>
T read_plain(base::JsonCursor& cursor, const FieldInfo& about) {
  if constexpr (HasFields<T>) {
    return read_plain_object<T>(cursor);
  } else if constexpr (kIsListOfObjects<T>) {
    return read_plain_list<typename T::value_type>(cursor);
  } else {
    const std::string_view text = cursor.take();
    if constexpr (std::is_constructible_v<T, std::nullopt_t>) {
      if (text == "null") return std::nullopt;
    }
    const nlohmann::json value = nlohmann::json::parse(text);
    return Json<T>::read(base::Reader(value, ""), about);
  }
}

// Reads without details. Returns nullopt if TEXT has another layout, or a mistake, of which the document's reader
// tells.
template <typename T>
std::optional<T> plain_part(std::string_view text, const std::string& file) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  base::JsonCursor cursor(text, file);
  try {
    const base::UnknownKeys unknown;
    T part = read_plain<T>(cursor, {});
    return unknown.words(file).empty() ? std::optional(std::move(part)) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Reads a part of FILE. PATH is its place. Without details, T must have no Json of its own.
template <typename T>
T read_part(std::string_view text, const std::string& file, const std::string& path, Details details) {
  if (details == Details::leave_out) {
    if (std::optional<T> part = plain_part<T>(text, file)) return *std::move(part);
  }
  const nlohmann::json document = base::parse_taken_json(text, file);
  return Json<T>::read(base::Reader(document, file, path), {});
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
  cursor.members([&](std::string_view key) {
    const auto* const field = std::ranges::find_if(kFields<Report>, [&](const auto& one) { return one.key == key; });
    if (field == kFields<Report>.end()) {
      unknown.emplace_back(key);
      return;
    }
    if (!seen.emplace(key).second)
      throw base::usage_error(file + ": $: the key '" + std::string(key) + "' appears twice");
    if (key != "cases") {
      return field->member.visit([&](auto member) {
        using T = std::remove_cvref_t<decltype(report.*member)>;
        report.*member = read_part<T>(cursor.take(), file, "$." + std::string(key), Details::read);
      });
    }
    std::size_t index = 0;
    cursor.items([&] {
      const std::string path = "$.cases[" + std::to_string(index++) + "]";
      CaseResult result = read_part<CaseResult>(cursor.take(), file, path, details);
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
