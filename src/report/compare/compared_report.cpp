#include "report/compare/compared_report.hpp"

#include "base/mapped_file.hpp"
#include "base/system_files.hpp"
#include "base/units.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/metric_parts.hpp"
#include "schema/launch.hpp"
#include "schema/launch_part.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <unordered_set>
#include <utility>

namespace mpsbench::report {
namespace {

Location location_of(const std::vector<ComparedLaunch>& launches) {
  Samples medians;
  std::vector<stats::MedianInterval> intervals;
  for (const ComparedLaunch& launch : launches) {
    medians.push_back(launch.step_seconds);
    if (launch.step_interval) intervals.push_back(*launch.step_interval);
  }
  return locate(medians, intervals);
}

bool is_founded(const schema::TimeMetrics& stored, const Location& found) {
  if (stored.median.has_value() != found.median.has_value() || stored.ci95.has_value() != found.ci95.has_value())
    return false;
  if (found.median && !is_alike(*stored.median, *found.median)) return false;
  return !found.ci95 || (is_alike(stored.ci95->low, found.ci95->low) && is_alike(stored.ci95->high, found.ci95->high));
}

// Returns nullopt if no launch has METRIC.
std::optional<double> geometric_mean(const ComparedCase& result, schema::GatedMetric metric) {
  const auto log = stats::mean(result.logs(metric));
  return log ? std::optional(std::exp(*log)) : std::nullopt;
}

std::string working_text(const schema::WorkingThreads& working) {
  const auto cpus = base::parse_cpu_list(working.cpus);
  return std::to_string(working.count) + (cpus ? " on " + base::counted(cpus->size(), "CPU", "CPUs") : "");
}

GpuClock gpu_clock_of(const std::vector<schema::SensorRecord>& sensors) {
  GpuClock clock;
  clock.hertz = schema::sensor_value(sensors, schema::sensor::kGpuClock);
  if (const auto setting = schema::sensor_value(sensors, schema::sensor::kGpuClocksSetting))
    clock.is_set_by_hand = *setting > 0;
  return clock;
}

// A good launch, until it is known which ones count.
struct GoodLaunch {
  ComparedLaunch kept;
  bool is_disturbed = false;
  std::map<schema::GatedMetric, std::string> why_missing = {};
};

GoodLaunch good_launch(const schema::CaseSpec& spec, const schema::Launch& launch, double step_seconds) {
  using schema::GatedMetric;
  GoodLaunch one{{launch.index, step_seconds, stats::median_interval(launch.samples_seconds)},
                 launch.disturbed.has_value()};
  one.kept.cpu_distance_seconds = schema::sensor_value(launch.sensors, schema::sensor::kCpuDistance);
  one.kept.started_at = launch.started_at;
  one.kept.wall_seconds = launch.wall_seconds;
  one.kept.is_ok = launch.status == schema::Status::ok;
  one.kept.held_copies = schema::has_compared(launch) && !launch.peak_device_bytes;
  one.kept.counts_memory = launch.peak_device_bytes.has_value();
  for (const auto& row : schema::ClosedSet<GatedMetric>::kRows) {
    if (row.value == GatedMetric::step) continue;
    const LaunchValue other = launch_value(row.value, spec, launch);
    if (other.value) {
      one.kept.others[row.value] = *other.value;
    } else {
      one.why_missing.emplace(row.value, other.why_missing);
    }
  }
  return one;
}

void take_launches(const std::vector<schema::Launch>& launches, ComparedCase& result) {
  std::vector<GoodLaunch> good;
  for (const schema::Launch& launch : launches) {
    if (!schema::counts(launch)) continue;
    const LaunchValue step = launch_value(schema::GatedMetric::step, result.spec, launch);
    if (!step.value) {
      ++result.launches_without_time;
      continue;
    }
    if (good.empty()) {
      result.backend = launch.backend;
      result.gpu_clock = gpu_clock_of(launch.sensors);
      if (const auto& working = launch.working_threads) result.working_threads = working_text(*working);
    }
    good.push_back(good_launch(result.spec, launch, *step.value));
  }
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
void set_step(const schema::TimeMetrics& stored, ComparedCase& result) {
  if (!result.published) {
    result.step_seconds = geometric_mean(result, schema::GatedMetric::step);
    const Location found = location_of(result.launches);
    result.is_founded = result.launches_without_time > 0 || is_founded(stored, found);
    result.ci95 = found.ci95;
    return;
  }
  result.ci95 = stored.ci95;
  if (stored.mean && *stored.mean > 0) result.step_seconds = stored.mean;
}

ComparedCase compared_case(const schema::CaseResult& from) {
  ComparedCase result;
  result.id = from.id;
  result.definition_sha256 = from.definition_sha256;
  result.spec = from.spec;
  result.status = from.status;
  result.failure = from.failure;
  result.flags = from.flags;
  result.published = from.published;
  take_launches(from.launches, result);
  leave_out_copies(result.launches);
  set_step(from.metrics.step_seconds, result);
  if (result.published) result.published_first_token_seconds = from.metrics.first_token_seconds.mean;
  return result;
}

// Fills in what is not in the cases' results.
ComparedReport finished(const schema::Report& rest, const std::string& file, std::vector<ComparedCase> cases) {
  ComparedReport report;
  report.file = file;
  report.run_id = rest.run.id;
  report.started_at = rest.run.started_at;
  report.argv = rest.run.argv;
  report.run_status = rest.run.status;
  report.tool = rest.tool;
  report.host = rest.host;
  report.cases = std::move(cases);
  report.unfounded = static_cast<std::size_t>(
      std::ranges::count_if(report.cases, [](const ComparedCase& one) { return !one.is_founded; }));
  std::map<std::string_view, const schema::PlannedCase*> plan;
  for (const schema::PlannedCase& planned : rest.run.planned) plan.emplace(planned.id, &planned);
  for (ComparedCase& result : report.cases) {
    const auto found = plan.find(result.id);
    if (found == plan.end()) continue;
    result.threshold = found->second->threshold;
    result.gate_on = found->second->gate_on;
    result.max_launch_seconds = found->second->measure.max_time_seconds;
  }
  return report;
}

// PASSED is told the number of bytes that are no longer needed.
ComparedReport parse(std::string_view text, const std::string& file, const std::function<void(std::size_t)>& passed) {
  std::vector<ComparedCase> cases;
  const schema::Report rest = schema::stream_report(text, file, schema::Details::leave_out,
                                                    [&](const schema::CaseResult& result, std::size_t position) {
                                                      cases.push_back(compared_case(result));
                                                      passed(position);
                                                    });
  std::unordered_set<std::string_view> ids;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!ids.insert(cases[i].id).second)
      throw base::usage_error(file + ": $.cases[" + std::to_string(i) + "]: the case occurs twice in the report");
  }
  return finished(rest, file, std::move(cases));
}

using Describe = std::string (*)(const ComparedReport&);

// What may tell two runs apart; the last always does, unless somebody gave one file twice.
constexpr Describe kDescriptions[] = {
    [](const ComparedReport& report) { return report.started_at.substr(0, 10); },
    [](const ComparedReport& report) { return schema::commit_text(report.tool); },
    [](const ComparedReport& report) { return std::filesystem::path(report.file).filename().string(); },
    [](const ComparedReport& report) { return report.file; }};

bool tells_apart(const std::vector<const ComparedReport*>& runs, Describe describe) {
  std::set<std::string> texts;
  return std::ranges::all_of(runs, [&](const ComparedReport* run) {
    const std::string text = describe(*run);
    return !text.empty() && texts.insert(text).second;
  });
}

}  // namespace

std::optional<double> ComparedLaunch::value(schema::GatedMetric metric) const {
  if (metric == schema::GatedMetric::step) return step_seconds;
  const auto found = others.find(metric);
  return found == others.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> ComparedCase::value(schema::GatedMetric metric) const {
  if (metric == schema::GatedMetric::step) return step_seconds;
  if (metric == schema::GatedMetric::first_token && published) return published_first_token_seconds;
  return geometric_mean(*this, metric);
}

std::vector<double> ComparedCase::logs(schema::GatedMetric metric) const {
  std::vector<double> logs;
  for (const ComparedLaunch& launch : launches) {
    if (const auto value = launch.value(metric)) logs.push_back(std::log(*value));
  }
  return logs;
}

bool ComparedCase::has_flag(std::string_view flag) const {
  return std::ranges::find(flags, flag) != flags.end();
}

bool ComparedReport::is_published() const {
  return std::ranges::any_of(cases, [](const ComparedCase& result) { return result.published.has_value(); });
}

ComparedReport compared_of(const schema::Report& report, const std::string& file) {
  std::vector<ComparedCase> cases;
  for (const schema::CaseResult& result : report.cases) cases.push_back(compared_case(result));
  return finished(report, file, std::move(cases));
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

std::map<const ComparedReport*, std::string> report_names(const std::vector<const ComparedReport*>& reports) {
  std::map<std::string, std::vector<const ComparedReport*>> hosts;
  for (const ComparedReport* report : reports) hosts[report->host.name].push_back(report);
  std::map<const ComparedReport*, std::string> names;
  for (const auto& [host, runs] : hosts) {
    const auto* describe = std::ranges::find_if(
        kDescriptions, [&of_host = runs](Describe candidate) { return tells_apart(of_host, candidate); });
    if (describe == std::end(kDescriptions)) --describe;
    for (const ComparedReport* run : runs) names[run] = host + (runs.size() > 1 ? ", " + (*describe)(*run) : "");
  }
  return names;
}

}  // namespace mpsbench::report
