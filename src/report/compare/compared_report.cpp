#include "report/compare/compared_report.hpp"

#include "base/counted.hpp"
#include "base/cpu_list.hpp"
#include "base/mapped_file.hpp"
#include "base/unknown_keys.hpp"
#include "report/compare/launch_parts.hpp"
#include "report/compare/report_place.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/launch_values.hpp"
#include "report/metrics/location.hpp"
#include "schema/gate_on.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>
#include <utility>

namespace mpsbench::report {
namespace {

// The step's time as it is stored.
struct StoredStep {
  std::optional<double> median;
  std::optional<std::string_view> mean;  // the text, because only published figures need it
  std::optional<schema::Interval> ci95;
};

StoredStep read_step(const ReportPlace& place) {
  StoredStep step;
  read_fields(place,
              {{"median",
                [&](const ReportPlace& at) {
                  if (const auto text = at.text_unless_null()) step.median = at.number_of(*text);
                }},
               {"mean", [&](const ReportPlace& at) { step.mean = at.text_unless_null(); }},
               {"ci95",
                [&](const ReportPlace& at) {
                  const auto text = at.text_unless_null();
                  if (!text) return;
                  const std::vector<double> bounds = at.numbers_of(*text);
                  if (bounds.size() != 2 || bounds[0] > bounds[1]) throw at.error("expected [low, high]");
                  step.ci95 = schema::Interval{bounds[0], bounds[1]};
                }}},
              Others::counted);
  return step;
}

Location location_of(const std::vector<ComparedLaunch>& launches) {
  Samples medians;
  std::vector<stats::MedianInterval> intervals;
  for (const ComparedLaunch& launch : launches) {
    medians.push_back(launch.step_seconds);
    if (launch.step_interval) intervals.push_back(*launch.step_interval);
  }
  return locate(medians, intervals);
}

bool is_founded(const StoredStep& stored, const Location& found) {
  if (stored.median.has_value() != found.median.has_value() ||
      stored.ci95.has_value() != found.ci95.has_value())
    return false;
  if (found.median && !is_alike(*stored.median, *found.median)) return false;
  return !found.ci95 ||
         (is_alike(stored.ci95->low, found.ci95->low) && is_alike(stored.ci95->high, found.ci95->high));
}

schema::Status read_status(const ReportPlace& place) {
  const std::string_view text = place.cursor().take();
  return is_ok(text) ? schema::Status::ok : place.parse_text(text, schema::read_name<schema::Status>);
}

// Returns nullopt if no launch has METRIC.
std::optional<double> geometric_mean(const std::vector<ComparedLaunch>& launches,
                                     schema::GatedMetric metric) {
  double logs = 0;
  double count = 0;
  for (const ComparedLaunch& launch : launches) {
    const std::optional<double> value = launch.value(metric);
    if (!value) continue;
    logs += std::log(*value);
    ++count;
  }
  return count > 0 ? std::optional(std::exp(logs / count)) : std::nullopt;
}

// Returns what launch_value() needs of the specification.
schema::CaseSpec read_spec(const ReportPlace& place, ComparedCase& result) {
  schema::CaseSpec spec;
  const std::string_view rest = place.cursor().rest();
  read_fields(
      place,
      {{"device", [&](const ReportPlace& at) { spec.device = at.parse(schema::read_device_id); }},
       {"batch_size", [&](const ReportPlace& at) { spec.batch_size = at.count(); }},
       {"mode", [&](const ReportPlace& at) { spec.mode = at.parse(schema::read_name<schema::Mode>); }},
       {"threads", [&](const ReportPlace& at) { result.own.threads = at.count(); }},
       {"interop_threads", [&](const ReportPlace& at) { result.own.interop_threads = at.count_or_null(); },
        true},
       {"affinity",
        [&](const ReportPlace& at) {
          if (const auto text = at.text_unless_null())
            result.own.affinity = at.parse_text(*text, [](const base::Reader& one) { return one.string(); });
        },
        true},
       {"workers", [&](const ReportPlace& at) { result.own.workers = at.count_or_null(); }, true},
       {"iterations", [&](const ReportPlace& at) { spec.iterations = at.count_or_null(); }, true},
       {"max_batches", [&](const ReportPlace& at) { spec.max_batches = at.count_or_null(); }, true}},
      Others::counted);
  result.spec_text = rest.substr(0, rest.size() - place.cursor().rest().size());
  result.device = spec.device;
  result.batch_size = spec.batch_size;
  result.mode = spec.mode;
  return spec;
}

std::string working_text(const schema::WorkingThreads& working) {
  const auto cpus = base::parse_cpu_list(working.cpus);
  return std::to_string(working.count) + (cpus ? " on " + base::counted(cpus->size(), "CPU", "CPUs") : "");
}

// A good launch, until it is known which ones count.
struct GoodLaunch {
  ComparedLaunch kept;
  bool is_disturbed = false;
  std::map<schema::GatedMetric, std::string> why_missing = {};
};

// Adds a good launch if it has a time.
void take_launch(const LaunchParts& parts, const schema::CaseSpec& spec, ComparedCase& result,
                 std::vector<GoodLaunch>& good) {
  using schema::GatedMetric;
  const LaunchValue step = launch_value(GatedMetric::step, spec, parts.launch);
  if (!step.value) {
    ++result.launches_without_time;
    return;
  }
  if (good.empty()) {
    result.backend = parts.launch.backend;
    result.gpu_clock = parts.gpu_clock;
    if (const auto& working = parts.launch.working_threads) result.working_threads = working_text(*working);
  }
  GoodLaunch& one = good.emplace_back(
      GoodLaunch{{parts.launch.index, *step.value, stats::median_interval(parts.launch.samples_seconds)},
                 parts.launch.disturbed.has_value()});
  ComparedLaunch& launch = one.kept;
  launch.cpu_distance_seconds = schema::sensor_value(parts.launch.sensors, schema::sensor::kCpuDistance);
  launch.is_ok = parts.launch.status == schema::Status::ok;
  launch.held_copies = parts.has_compared && !parts.launch.peak_device_bytes;
  launch.counts_memory = parts.launch.peak_device_bytes.has_value();
  for (const GatedMetric metric : {GatedMetric::latency_p99, GatedMetric::peak_memory, GatedMetric::energy}) {
    const LaunchValue other = launch_value(metric, spec, parts.launch);
    if (other.value) {
      launch.others[metric] = *other.value;
    } else {
      one.why_missing.emplace(metric, other.why_missing);
    }
  }
}

void keep_counted_launches(std::vector<GoodLaunch> good, ComparedCase& result) {
  const auto all = std::ssize(good);
  keep_counted(good, [](const GoodLaunch& one) { return one.is_disturbed; });
  result.launches_set_aside = all - std::ssize(good);
  for (GoodLaunch& one : good) {
    result.why_missing.merge(one.why_missing);
    result.launches.push_back(std::move(one.kept));
  }
}

// Leaves out the memory of launches that held copies, unless all did.
void leave_out_copies(std::vector<ComparedLaunch>& launches) {
  if (std::ranges::all_of(launches, &ComparedLaunch::held_copies)) return;
  for (ComparedLaunch& launch : launches) {
    if (launch.held_copies) launch.others.erase(schema::GatedMetric::peak_memory);
  }
}

// Published cases have the figures that are in the report, the others those of their launches.
void set_step(const ReportPlace& place, const StoredStep& stored, ComparedCase& result) {
  if (!result.published) {
    result.step_seconds = geometric_mean(result.launches, schema::GatedMetric::step);
    const Location found = location_of(result.launches);
    result.is_founded = result.launches_without_time > 0 || is_founded(stored, found);
    result.ci95 = found.ci95;
    return;
  }
  result.ci95 = stored.ci95;
  if (!stored.mean) return;
  const double seconds = place.at("metrics").at("step_seconds").at("mean").number_of(*stored.mean);
  if (seconds > 0) result.step_seconds = seconds;
}

ComparedCase read_case(const ReportPlace& place) {
  ComparedCase result;
  std::optional<schema::CaseSpec> spec;
  std::vector<LaunchParts> early;  // launches that come before the specification
  StoredStep stored;
  std::vector<GoodLaunch> good;
  read_fields(place,
              {{"id", [&](const ReportPlace& at) { result.id = at.string(); }},
               {"definition_sha256", [&](const ReportPlace& at) { result.definition_sha256 = at.string(); }},
               {"spec", [&](const ReportPlace& at) { spec = read_spec(at, result); }},
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
                  at.cursor().items([&] {
                    const bool is_first = good.empty() && early.empty();
                    auto parts = read_good_launch(at.item(index++), is_first);
                    if (parts && spec) {
                      take_launch(*parts, *spec, result, good);
                    } else if (parts) {
                      early.push_back(*std::move(parts));
                    }
                  });
                }},
               {"metrics",
                [&](const ReportPlace& at) {
                  read_fields(at,
                              {{"step_seconds", [&](const ReportPlace& step) { stored = read_step(step); }}},
                              Others::counted);
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
                true}},
              Others::counted);
  for (const LaunchParts& parts : early) take_launch(parts, spec.value(), result, good);
  keep_counted_launches(std::move(good), result);
  leave_out_copies(result.launches);
  set_step(place, stored, result);
  return result;
}

// Fields of a planned case outside its specification.
struct ComparedPlan {
  std::optional<double> threshold;
  std::vector<schema::GateOn> gate_on;
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
          true},
         {"gate_on", [&](const ReportPlace& at) { planned.gate_on = at.parse(schema::read_gate_on); }, true}},
        Others::counted);
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
       {"planned", [&](const ReportPlace& at) { read_planned(at, planned); }}},
      Others::counted);
}

// Called with the number of bytes of the text that are no longer needed.
using Passed = std::function<void(std::size_t)>;

void read_cases(const ReportPlace& place, ComparedReport& report, const Passed& passed) {
  std::unordered_set<std::string> seen;
  place.cursor().items([&] {
    const ReportPlace at = place.item(report.cases.size());
    report.cases.push_back(read_case(at));
    if (!seen.insert(report.cases.back().id).second) throw at.error("the case occurs twice in the report");
    if (!report.cases.back().is_founded) ++report.unfounded;
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
               {"cases", [&](const ReportPlace& at) { read_cases(at, report, passed); }}},
              Others::counted);
  cursor.done();
  for (ComparedCase& result : report.cases) {
    const auto found = planned.find(result.id);
    if (found == planned.end()) continue;
    result.threshold = found->second.threshold;
    result.gate_on = found->second.gate_on;
    result.max_launch_seconds = found->second.max_launch_seconds;
  }
  return report;
}

}  // namespace

std::optional<double> ComparedLaunch::value(schema::GatedMetric metric) const {
  if (metric == schema::GatedMetric::step) return step_seconds;
  const auto found = others.find(metric);
  return found == others.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> ComparedCase::value(schema::GatedMetric metric) const {
  return metric == schema::GatedMetric::step ? step_seconds : geometric_mean(launches, metric);
}

bool ComparedCase::has_flag(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

schema::CaseSpec ComparedCase::spec() const {
  const std::string name = "case " + id;
  const nlohmann::json value = base::parse_large_json(spec_text, name);
  const base::UnknownKeys ignored;
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
