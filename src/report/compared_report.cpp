#include "report/compared_report.hpp"

#include "base/json_cursor.hpp"
#include "base/json_file.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

namespace mpsbench::report {
namespace {

// The value that a cursor stands at, with its place for messages.
class Place {
 public:
  Place(base::JsonCursor& cursor, const std::string& file, std::string path)
      : cursor_(&cursor), file_(&file), path_(std::move(path)) {}

  [[nodiscard]] Place at(std::string_view key) const {
    return {*cursor_, *file_, path_ + "." + std::string(key)};
  }
  [[nodiscard]] Place item(std::size_t index) const {
    return {*cursor_, *file_, path_ + "[" + std::to_string(index) + "]"};
  }
  [[nodiscard]] base::JsonCursor& cursor() const { return *cursor_; }
  [[nodiscard]] base::Error error(const std::string& message) const {
    return base::usage_error(*file_ + ": " + path_ + ": " + message);
  }

  // What READ makes of the value, whole.
  template <typename Read>
  auto parse(Read&& read) const {
    const nlohmann::json value = base::parse_large_json(cursor_->take(), *file_);
    return read(base::Reader(value, *file_, path_));
  }
  [[nodiscard]] std::int64_t count() const {
    return parse([](const base::Reader& reader) {
      return reader.integer(0, std::numeric_limits<std::int64_t>::max());
    });
  }
  [[nodiscard]] std::string string() const {
    return parse([](const base::Reader& reader) { return reader.string(); });
  }

 private:
  base::JsonCursor* cursor_;
  const std::string* file_;
  std::string path_;
};

struct Field {
  std::string_view key;
  std::function<void(const Place&)> read;
};

// Reads FIELDS of the object at PLACE, all of which must be there unless OPTIONAL; passes over others.
void read_fields(const Place& place, std::initializer_list<Field> fields, std::string_view optional = {}) {
  std::vector<std::string_view> missing;
  for (const Field& field : fields) {
    if (field.key != optional) missing.push_back(field.key);
  }
  place.cursor().members([&](std::string_view key) {
    const auto field = std::find_if(fields.begin(), fields.end(),
                                    [&](const Field& candidate) { return candidate.key == key; });
    if (field == fields.end()) return;
    field->read(place.at(key));
    std::erase(missing, key);
  });
  if (!missing.empty()) throw place.error("the key '" + std::string(missing.front()) + "' is missing");
}

double median_of_samples(const Place& place) {
  return place.parse([](const base::Reader& reader) {
    const std::vector<double> samples = reader.numbers();
    if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double median = stats::median_of(samples);
    if (!(median > 0)) throw reader.error("expected times above 0");
    return median;
  });
}

void read_launch(const Place& place, ComparedCase& result) {
  ComparedLaunch launch;
  bool good = false;
  std::map<std::string, std::string> backend;
  read_fields(place,
              {{"status", [&](const Place& at) { good = at.cursor().take() == R"("ok")"; }},
               {"index", [&](const Place& at) { launch.index = at.count(); }},
               {"samples_seconds", [&](const Place& at) { launch.step_seconds = median_of_samples(at); }},
               {"backend", [&](const Place& at) {
                  backend = at.parse([](base::Reader reader) {
                    std::map<std::string, std::string> values;
                    for (const std::string& key : reader.keys()) values[key] = reader.at(key).string();
                    return values;
                  });
                }}});
  if (!good || !(launch.step_seconds > 0)) return;
  if (result.launches.empty()) result.backend = std::move(backend);
  result.launches.push_back(launch);
}

// Gives the mean, which is all that others publish.
std::optional<double> read_step(const Place& place, ComparedCase& result) {
  std::optional<double> mean;
  read_fields(place, {{"mean",
                       [&](const Place& at) {
                         at.parse([&](const base::Reader& reader) {
                           if (!reader.is_null()) mean = reader.number(0, 1e9);
                         });
                       }},
                      {"ci95", [&](const Place& at) {
                         at.parse([&](const base::Reader& reader) {
                           if (reader.is_null()) return;
                           const std::vector<double> bounds = reader.numbers();
                           if (bounds.size() != 2 || bounds[0] > bounds[1])
                             throw reader.error("expected [low, high]");
                           result.ci95 = schema::Interval{bounds[0], bounds[1]};
                         });
                       }}});
  return mean;
}

// Nullopt for none.
std::optional<double> geometric_mean(const std::vector<ComparedLaunch>& launches) {
  if (launches.empty()) return std::nullopt;
  double logs = 0;
  for (const ComparedLaunch& launch : launches) logs += std::log(launch.step_seconds);
  return std::exp(logs / static_cast<double>(launches.size()));
}

void read_spec(const Place& place, ComparedCase& result) {
  const std::string_view rest = place.cursor().rest();
  read_fields(place, {{"device", [&](const Place& at) { result.device = at.string(); }},
                      {"batch_size", [&](const Place& at) { result.batch_size = at.count(); }}});
  result.spec_text = rest.substr(0, rest.size() - place.cursor().rest().size());
}

ComparedCase read_case(const Place& place) {
  ComparedCase result;
  std::optional<double> mean;
  read_fields(place,
              {{"id", [&](const Place& at) { result.id = at.string(); }},
               {"definition_sha256", [&](const Place& at) { result.definition_sha256 = at.string(); }},
               {"spec", [&](const Place& at) { read_spec(at, result); }},
               {"status", [&](const Place& at) { result.status = at.parse(schema::read_status); }},
               {"failure",
                [&](const Place& at) {
                  at.parse([&](const base::Reader& reader) {
                    if (!reader.is_null()) result.failure = schema::read_failure(reader);
                  });
                }},
               {"launches",
                [&](const Place& at) {
                  std::size_t index = 0;
                  at.cursor().items([&] { read_launch(at.item(index++), result); });
                }},
               {"metrics",
                [&](const Place& at) {
                  read_fields(at,
                              {{"step_seconds", [&](const Place& step) { mean = read_step(step, result); }}});
                }},
               {"flags",
                [&](const Place& at) {
                  result.flags = at.parse([](const base::Reader& reader) { return reader.strings(); });
                }},
               {"published",
                [&](const Place& at) {
                  at.parse([&](const base::Reader& reader) {
                    if (!reader.is_null()) result.published = schema::read_published(reader);
                  });
                }}},
              "published");
  result.step_seconds = result.published ? mean : geometric_mean(result.launches);
  return result;
}

using Thresholds = std::map<std::string, double>;

// Of the planned cases that have one, by id.
void read_planned(const Place& place, Thresholds& thresholds) {
  std::size_t index = 0;
  place.cursor().items([&] {
    std::string id;
    std::optional<double> threshold;
    read_fields(place.item(index++),
                {{"id", [&](const Place& at) { id = at.string(); }},
                 {"threshold",
                  [&](const Place& at) {
                    at.parse([&](const base::Reader& reader) {
                      if (!reader.is_null())
                        threshold = reader.number(schema::kLeastThreshold, schema::kMostThreshold);
                    });
                  }}},
                "threshold");
    if (threshold) thresholds[id] = *threshold;
  });
}

void read_run(const Place& place, ComparedReport& report, Thresholds& thresholds) {
  read_fields(place, {{"id", [&](const Place& at) { report.run_id = at.string(); }},
                      {"started_at", [&](const Place& at) { report.started_at = at.string(); }},
                      {"status", [&](const Place& at) { report.run_status = at.string(); }},
                      {"planned", [&](const Place& at) { read_planned(at, thresholds); }}});
}

void read_cases(const Place& place, ComparedReport& report) {
  std::set<std::string> seen;
  place.cursor().items([&] {
    const Place at = place.item(report.cases.size());
    report.cases.push_back(read_case(at));
    if (!seen.insert(report.cases.back().id).second) throw at.error("the case stands twice in the report");
  });
}

}  // namespace

bool ComparedCase::has_flag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

schema::CaseSpec ComparedCase::spec() const {
  const std::string name = "case " + id;
  const nlohmann::json value = base::parse_large_json(spec_text, name);
  return schema::read_case_spec(base::Reader(value, name, "$.spec"));
}

bool ComparedReport::is_published() const {
  return std::any_of(cases.begin(), cases.end(),
                     [](const ComparedCase& result) { return result.published.has_value(); });
}

ComparedReport parse_compared_report(std::string_view text, const std::string& file) {
  ComparedReport report;
  report.file = file;
  Thresholds thresholds;
  base::JsonCursor cursor(text, file);
  read_fields(Place(cursor, file, "$"),
              {{"schema_version", [](const Place& at) { at.parse(schema::require_report_version); }},
               {"tool", [&](const Place& at) { report.tool = at.parse(schema::read_tool_info); }},
               {"run", [&](const Place& at) { read_run(at, report, thresholds); }},
               {"host", [&](const Place& at) { report.host = at.parse(schema::read_host_info); }},
               {"cases", [&](const Place& at) { read_cases(at, report); }}});
  cursor.done();
  for (ComparedCase& result : report.cases) {
    const auto found = thresholds.find(result.id);
    if (found != thresholds.end()) result.threshold = found->second;
  }
  return report;
}

ComparedReport read_compared_report(const std::filesystem::path& path) {
  return parse_compared_report(base::read_large_text_file(path), path.string());
}

}  // namespace mpsbench::report
