#include "report/compare/compared_report.hpp"

#include "base/mapped_file.hpp"
#include "base/plain_json.hpp"
#include "report/compare/report_place.hpp"
#include "schema/optional_json.hpp"
#include "schema/sensor.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>
#include <utility>

namespace mpsbench::report {
namespace {

constexpr std::string_view kOk = row_of(schema::Status::ok).name;

// Whether JSON is the string WORD.
bool is_text(std::string_view json, std::string_view word) {
  return json.size() == word.size() + 2 && json.front() == '"' && json.substr(1, word.size()) == word;
}

// Returns 0 if there are no times to compare.
double median_of_samples(const ReportPlace& place) {
  const std::vector<double> samples = place.numbers();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!(samples[i] >= 0 && samples[i] <= schema::kMostSeconds))
      throw place.item(i).error("expected a time from 0 to 1000000000 s");
  }
  return stats::median(samples).value_or(0);
}

double read_value(const base::Reader& reader) {
  return reader.number();
}

GpuClock read_gpu_clock(const ReportPlace& place) {
  GpuClock clock;
  std::size_t index = 0;
  place.cursor().items([&] {
    const ReportPlace item = place.item(index++);
    std::string_view name;
    std::string_view value;
    read_fields(item, {{"name", [&](const ReportPlace& at) { name = at.cursor().take(); }},
                       {"value", [&](const ReportPlace& at) { value = at.cursor().take(); }}});
    if (is_text(name, schema::sensor::kGpuClock))
      clock.hertz = item.at("value").parse_text(value, read_value);
    if (is_text(name, schema::sensor::kGpuClocksSetting))
      clock.is_set_by_hand = item.at("value").parse_text(value, read_value) > 0;
  });
  return clock;
}

void read_launch(const ReportPlace& place, ComparedCase& result) {
  ComparedLaunch launch;
  GpuClock clock;
  bool good = false;
  std::string_view backend;
  read_fields(place, {{"status", [&](const ReportPlace& at) { good = is_text(at.cursor().take(), kOk); }},
                      {"index", [&](const ReportPlace& at) { launch.index = at.count(); }},
                      {"samples_seconds",
                       [&](const ReportPlace& at) { launch.step_seconds = median_of_samples(at); }},
                      {"backend", [&](const ReportPlace& at) { backend = at.cursor().take(); }},
                      {"sensors", [&](const ReportPlace& at) {
                         if (result.launches.empty()) clock = read_gpu_clock(at);
                       }}});
  if (!good) return;
  if (!(launch.step_seconds > 0)) {
    ++result.launches_without_time;
    return;
  }
  if (result.launches.empty()) {
    result.backend = place.at("backend").parse_text(backend, schema::read_texts);
    result.gpu_clock = clock;
  }
  result.launches.push_back(launch);
}

// Returns the mean's text, because published figures may have nothing else. Returns nullopt if there is none.
std::optional<std::string_view> read_step(const ReportPlace& place, ComparedCase& result) {
  std::optional<std::string_view> mean;
  read_fields(place, {{"mean", [&](const ReportPlace& at) { mean = at.text_unless_null(); }},
                      {"ci95", [&](const ReportPlace& at) {
                         const auto text = at.text_unless_null();
                         if (!text) return;
                         const std::vector<double> bounds = at.numbers_of(*text);
                         if (bounds.size() != 2 || bounds[0] > bounds[1])
                           throw at.error("expected [low, high]");
                         result.ci95 = schema::Interval{bounds[0], bounds[1]};
                       }}});
  return mean;
}

schema::Status read_status(const ReportPlace& place) {
  const std::string_view text = place.cursor().take();
  return is_text(text, kOk) ? schema::Status::ok : place.parse_text(text, schema::read_name<schema::Status>);
}

// Returns nullopt if there are no launches.
std::optional<double> geometric_mean(const std::vector<ComparedLaunch>& launches) {
  if (launches.empty()) return std::nullopt;
  double logs = 0;
  for (const ComparedLaunch& launch : launches) logs += std::log(launch.step_seconds);
  return std::exp(logs / static_cast<double>(launches.size()));
}

void read_spec(const ReportPlace& place, ComparedCase& result) {
  const std::string_view rest = place.cursor().rest();
  read_fields(place,
              {{"device", [&](const ReportPlace& at) { result.device = at.parse(schema::read_device_id); }},
               {"batch_size", [&](const ReportPlace& at) { result.batch_size = at.count(); }}});
  result.spec_text = rest.substr(0, rest.size() - place.cursor().rest().size());
}

ComparedCase read_case(const ReportPlace& place) {
  ComparedCase result;
  std::optional<std::string_view> mean;
  read_fields(place,
              {{"id", [&](const ReportPlace& at) { result.id = at.string(); }},
               {"definition_sha256", [&](const ReportPlace& at) { result.definition_sha256 = at.string(); }},
               {"spec", [&](const ReportPlace& at) { read_spec(at, result); }},
               {"status", [&](const ReportPlace& at) { result.status = read_status(at); }},
               {"failure",
                [&](const ReportPlace& at) {
                  if (const auto text = at.text_unless_null())
                    result.failure = at.parse_text(*text, schema::read_failure);
                },
                true},
               {"launches",
                [&](const ReportPlace& at) {
                  std::size_t index = 0;
                  at.cursor().items([&] { read_launch(at.item(index++), result); });
                }},
               {"metrics",
                [&](const ReportPlace& at) {
                  read_fields(at, {{"step_seconds",
                                    [&](const ReportPlace& step) { mean = read_step(step, result); }}});
                }},
               {"flags",
                [&](const ReportPlace& at) {
                  std::size_t index = 0;
                  at.cursor().items([&] { result.flags.push_back(at.item(index++).string()); });
                }},
               {"published",
                [&](const ReportPlace& at) {
                  if (const auto text = at.text_unless_null())
                    result.published = at.parse_text(*text, schema::read_published);
                },
                true}});
  if (!result.published) {
    result.step_seconds = geometric_mean(result.launches);
  } else if (mean) {
    const double seconds = place.at("metrics").at("step_seconds").at("mean").parse_text(*mean, read_value);
    if (seconds > 0) result.step_seconds = seconds;
  }
  return result;
}

// Fields of a planned case outside its specification.
struct ComparedPlan {
  std::optional<double> threshold;
  double max_launch_seconds = 0;
};
using CasesById = std::map<std::string, ComparedPlan>;  // by id

double read_threshold(const base::Reader& reader) {
  return reader.number(schema::kLeastThreshold, schema::kMostThreshold);
}

double read_max_time(base::Reader reader) {
  return reader.at("max_time_seconds").number(0, 1e9);
}

void read_planned(const ReportPlace& place, CasesById& cases) {
  std::size_t index = 0;
  place.cursor().items([&] {
    std::string id;
    ComparedPlan planned;
    read_fields(
        place.item(index++),
        {{"id", [&](const ReportPlace& at) { id = at.string(); }},
         {"measure", [&](const ReportPlace& at) { planned.max_launch_seconds = at.parse(read_max_time); }},
         {"threshold",
          [&](const ReportPlace& at) {
            if (const auto text = at.text_unless_null())
              planned.threshold = at.parse_text(*text, read_threshold);
          },
          true}});
    cases[id] = planned;
  });
}

void read_run(const ReportPlace& place, ComparedReport& report, CasesById& planned) {
  read_fields(
      place,
      {{"id", [&](const ReportPlace& at) { report.run_id = at.string(); }},
       {"started_at", [&](const ReportPlace& at) { report.started_at = at.string(); }},
       {"status",
        [&](const ReportPlace& at) { report.run_status = at.parse(schema::read_name<schema::RunStatus>); }},
       {"planned", [&](const ReportPlace& at) { read_planned(at, planned); }}});
}

// Called with the number of bytes of the text that are no longer needed.
using Passed = std::function<void(std::size_t)>;

void read_cases(const ReportPlace& place, ComparedReport& report, const Passed& passed) {
  std::unordered_set<std::string> seen;
  place.cursor().items([&] {
    const ReportPlace at = place.item(report.cases.size());
    report.cases.push_back(read_case(at));
    if (!seen.insert(report.cases.back().id).second) throw at.error("the case occurs twice in the report");
    passed(place.cursor().position());
  });
}

ComparedReport parse(std::string_view text, const std::string& file, const Passed& passed) {
  ComparedReport report;
  report.file = file;
  CasesById planned;
  base::JsonCursor cursor(text, file);
  read_fields(ReportPlace(cursor, file),
              {{"schema_version", [](const ReportPlace& at) { at.parse(schema::require_report_version); }},
               {"tool", [&](const ReportPlace& at) { report.tool = at.parse(schema::read_tool_info); }},
               {"run", [&](const ReportPlace& at) { read_run(at, report, planned); }},
               {"host", [&](const ReportPlace& at) { report.host = at.parse(schema::read_host_info); }},
               {"cases", [&](const ReportPlace& at) { read_cases(at, report, passed); }}});
  cursor.done();
  for (ComparedCase& result : report.cases) {
    const auto found = planned.find(result.id);
    if (found == planned.end()) continue;
    result.threshold = found->second.threshold;
    result.max_launch_seconds = found->second.max_launch_seconds;
  }
  return report;
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
  return parse(text, file, [](std::size_t) {});
}

ComparedReport read_compared_report(const std::filesystem::path& path) {
  constexpr std::size_t kKept = 8U << 20U;  // the most bytes of the file in memory at a time
  base::MappedFile file(path);
  std::size_t dropped = 0;
  return parse(file.text(), path.string(), [&](std::size_t position) {
    if (position - dropped < kKept) return;
    file.drop_before(position);
    dropped = position;
  });
}

}  // namespace mpsbench::report
