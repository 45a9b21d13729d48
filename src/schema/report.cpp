#include "schema/report.hpp"

#include "base/json_file.hpp"
#include "base/sha256.hpp"
#include "schema/optional_json.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const std::optional<Interval>& interval) {
  return interval ? ordered_json{interval->low, interval->high} : ordered_json(nullptr);
}

std::optional<Interval> read_interval(const base::Reader& reader) {
  if (reader.is_null()) return std::nullopt;
  const std::vector<double> bounds = reader.numbers();
  if (bounds.size() != 2 || bounds[0] > bounds[1]) throw reader.error("expected [low, high]");
  return Interval{bounds[0], bounds[1]};
}

ordered_json to_json(const TimeMetrics& time) {
  return {{"median", or_null(time.median)}, {"mean", or_null(time.mean)}, {"stddev", or_null(time.stddev)},
          {"min", or_null(time.min)},       {"max", or_null(time.max)},   {"p90", or_null(time.p90)},
          {"p99", or_null(time.p99)},       {"ci95", to_json(time.ci95)}, {"count", time.count}};
}

TimeMetrics read_time_metrics(base::Reader reader) {
  TimeMetrics time;
  const std::array<std::pair<const char*, std::optional<double>*>, 7> fields{{{"median", &time.median},
                                                                              {"mean", &time.mean},
                                                                              {"stddev", &time.stddev},
                                                                              {"min", &time.min},
                                                                              {"max", &time.max},
                                                                              {"p90", &time.p90},
                                                                              {"p99", &time.p99}}};
  for (const auto& [key, field] : fields) *field = number_or_null(reader.at(key));
  time.ci95 = read_interval(reader.at("ci95"));
  time.count = read_count(reader.at("count"));
  reader.done();
  return time;
}

ordered_json to_json(const Metrics& metrics) {
  return {
      {"step_seconds", to_json(metrics.step_seconds)},
      {"latency_seconds", to_json(metrics.latency_seconds)},
      {"rows_per_second",
       {{"value", or_null(metrics.rows_per_second.value)}, {"ci95", to_json(metrics.rows_per_second.ci95)}}},
      {"epoch_seconds",
       {{"value", or_null(metrics.epoch_seconds.value)},
        {"ci95", to_json(metrics.epoch_seconds.ci95)},
        {"kind", metrics.epoch_seconds.kind}}},
      {"parameters", or_null(metrics.parameters)},
      {"trainable_parameters", or_null(metrics.trainable_parameters)},
      {"flops_per_step", or_null(metrics.flops_per_step)},
      {"flops_per_second", or_null(metrics.flops_per_second)},
      {"bytes_per_second", or_null(metrics.bytes_per_second)},
      {"ceiling_share", or_null(metrics.ceiling_share)},
      {"peak_device_bytes", or_null(metrics.peak_device_bytes)},
      {"peak_reserved_bytes", or_null(metrics.peak_reserved_bytes)},
      {"peak_resident_bytes", or_null(metrics.peak_resident_bytes)},
      {"live_bytes_per_step", or_null(metrics.live_bytes_per_step)},
      {"data_wait_share", or_null(metrics.data_wait_share)},
      {"energy_joules_per_row", or_null(metrics.energy_joules_per_row)},
      {"energy_method", metrics.energy_method}};
}

ValueMetric read_value_metric(base::Reader reader) {
  ValueMetric metric{number_or_null(reader.at("value")), read_interval(reader.at("ci95"))};
  reader.done();
  return metric;
}

EpochMetric read_epoch_metric(base::Reader reader) {
  EpochMetric metric{number_or_null(reader.at("value")), read_interval(reader.at("ci95")),
                     reader.at("kind").string()};
  if (metric.kind != "measured" && metric.kind != "projected") {
    throw reader.at("kind").error("expected measured or projected");
  }
  reader.done();
  return metric;
}

Metrics read_metrics(base::Reader reader) {
  Metrics metrics;
  metrics.step_seconds = read_time_metrics(reader.at("step_seconds"));
  metrics.latency_seconds = read_time_metrics(reader.at("latency_seconds"));
  metrics.rows_per_second = read_value_metric(reader.at("rows_per_second"));
  metrics.epoch_seconds = read_epoch_metric(reader.at("epoch_seconds"));
  metrics.parameters = count_or_null(reader.at("parameters"));
  metrics.trainable_parameters = count_or_null(reader.at("trainable_parameters"));
  metrics.flops_per_step = count_or_null(reader.at("flops_per_step"));
  metrics.flops_per_second = number_or_null(reader.at("flops_per_second"));
  metrics.bytes_per_second = number_or_null(reader.at("bytes_per_second"));
  metrics.ceiling_share = number_or_null(reader.at("ceiling_share"));
  metrics.peak_device_bytes = count_or_null(reader.at("peak_device_bytes"));
  metrics.peak_reserved_bytes = count_or_null(reader.at("peak_reserved_bytes"));
  metrics.peak_resident_bytes = count_or_null(reader.at("peak_resident_bytes"));
  if (const auto slope = reader.find("live_bytes_per_step")) metrics.live_bytes_per_step = slope->number();
  metrics.data_wait_share = number_or_null(reader.at("data_wait_share"));
  metrics.energy_joules_per_row = number_or_null(reader.at("energy_joules_per_row"));
  const auto method = reader.find("energy_method");
  metrics.energy_method = method ? method->string() : "none";
  reader.done();
  return metrics;
}

PlannedCase read_planned_case(base::Reader reader) {
  PlannedCase planned;
  planned.id = reader.at("id").string();
  planned.definition_sha256 = reader.at("definition_sha256").string();
  planned.spec = read_case_spec(reader.at("spec"));
  planned.measure = read_measure_spec(reader.at("measure"));
  planned.repeats = read_count(reader.at("repeats"));
  planned.timeout_seconds = reader.at("timeout_seconds").number();
  planned.cooldown_seconds = reader.at("cooldown_seconds").number();
  if (const auto bound = reader.find("is_bound")) planned.is_bound = bound->boolean();
  planned.weights_path = string_or_null(reader.at("weights_path"));
  planned.dump_first_step_path = string_or_null(reader.at("dump_first_step_path"));
  reader.done();
  return planned;
}

std::map<std::string, nlohmann::json> read_definitions(base::Reader reader) {
  std::map<std::string, nlohmann::json> definitions;
  for (const std::string& sha256 : reader.keys()) {
    const base::Reader definition = reader.at(sha256);
    if (definition_sha256(definition.value()) != sha256)
      throw definition.error("is not the definition of this fingerprint; it was changed after the run");
    definitions[sha256] = definition.value();
  }
  return definitions;
}

// The plan names each case once and has its definition.
void require_whole_plan(const base::Reader& ids, const RunInfo& run) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < run.plan.size(); ++i) {
    const PlannedCase& planned = run.plan[i];
    if (!seen.insert(planned.id).second) throw ids.item(i).error("the case stands twice in the plan");
    if (!run.definitions.contains(planned.definition_sha256))
      throw ids.item(i).error("$.run.definitions lacks this case's " +
                              base::excerpt(planned.definition_sha256));
  }
}

void require_planned_cases(const base::Reader& cases, const Report& report) {
  const std::vector<PlannedCase>& plan = report.run.plan;
  for (std::size_t i = 0; i < std::max(plan.size(), report.cases.size()); ++i) {
    const bool fits = i < plan.size() && i < report.cases.size() && report.cases[i].id == plan[i].id &&
                      report.cases[i].definition_sha256 == plan[i].definition_sha256;
    if (!fits) throw cases.error("does not hold the cases of $.run.plan, each once and in its order");
  }
}

}  // namespace

double measuring_limit_seconds(const PlannedCase& planned) {
  return planned.spec.epochs ? planned.timeout_seconds : planned.measure.max_time_seconds;
}

std::string definition_sha256(const nlohmann::json& document) {
  return base::sha256_hex(base::to_text(document));
}

ordered_json to_json(const PlannedCase& planned) {
  return {{"id", planned.id},
          {"definition_sha256", planned.definition_sha256},
          {"spec", to_json(planned.spec)},
          {"measure", to_json(planned.measure)},
          {"repeats", planned.repeats},
          {"timeout_seconds", planned.timeout_seconds},
          {"cooldown_seconds", planned.cooldown_seconds},
          {"is_bound", planned.is_bound},
          {"weights_path", or_null(planned.weights_path)},
          {"dump_first_step_path", or_null(planned.dump_first_step_path)}};
}

ordered_json to_json(const RunInfo& run) {
  ordered_json ids = ordered_json::array();
  ordered_json planned = ordered_json::array();
  for (const PlannedCase& one : run.plan) {
    ids.push_back(one.id);
    planned.push_back(to_json(one));
  }
  return {{"id", run.id},
          {"started_at", run.started_at},
          {"finished_at", or_null(run.finished_at)},
          {"status", run.status},
          {"argv", run.argv},
          {"seed", run.seed},
          {"suite", run.suite},
          {"strict", run.strict},
          {"plan", std::move(ids)},
          {"planned", std::move(planned)},
          {"definitions", ordered_json(run.definitions)}};
}

RunInfo read_run_info(base::Reader reader) {
  RunInfo run;
  run.id = reader.at("id").string();
  run.started_at = reader.at("started_at").string();
  run.finished_at = string_or_null(reader.at("finished_at"));
  const base::Reader status = reader.at("status");
  run.status = status.string();
  if (run.status != "complete" && run.status != "partial" && run.status != "interrupted") {
    throw status.error("expected complete, partial or interrupted");
  }
  run.argv = reader.at("argv").strings();
  run.seed = read_count(reader.at("seed"));
  run.suite = reader.at("suite").string();
  run.strict = reader.at("strict").boolean();
  for (const base::Reader& item : reader.at("planned").items()) run.plan.push_back(read_planned_case(item));
  const base::Reader ids = reader.at("plan");
  const std::vector<std::string> names = ids.strings();
  for (std::size_t i = 0; i < std::max(names.size(), run.plan.size()); ++i) {
    if (i >= names.size() || i >= run.plan.size() || names[i] != run.plan[i].id) {
      throw ids.error("does not name the cases of $.run.planned");
    }
  }
  run.definitions = read_definitions(reader.at("definitions"));
  require_whole_plan(ids, run);
  reader.done();
  return run;
}

ordered_json to_json(const CaseResult& result) {
  ordered_json launches = ordered_json::array();
  for (const Launch& launch : result.launches) launches.push_back(to_json(launch));
  return {{"id", result.id},
          {"definition_sha256", result.definition_sha256},
          {"spec", to_json(result.spec)},
          {"status", to_string(result.status)},
          {"failure", result.failure ? to_json(*result.failure) : ordered_json(nullptr)},
          {"launches", std::move(launches)},
          {"metrics", to_json(result.metrics)},
          {"flags", result.flags},
          {"notes", ordered_json(result.notes)}};
}

CaseResult read_case_result(base::Reader reader) {
  CaseResult result;
  result.id = reader.at("id").string();
  result.definition_sha256 = reader.at("definition_sha256").string();
  result.spec = read_case_spec(reader.at("spec"));
  result.status = read_status(reader.at("status"));
  if (const auto failure = reader.find("failure")) result.failure = read_failure(*failure);
  for (const base::Reader& launch : reader.at("launches").items())
    result.launches.push_back(read_launch(launch));
  result.metrics = read_metrics(reader.at("metrics"));
  result.flags = reader.at("flags").strings();
  base::Reader notes = reader.at("notes");
  for (const std::string& key : notes.keys()) result.notes[key] = notes.at(key).string();
  reader.done();
  return result;
}

ordered_json to_json(const Report& report) {
  ordered_json cases = ordered_json::array();
  for (const CaseResult& result : report.cases) cases.push_back(to_json(result));
  return {{"schema_version", kReportVersion},
          {"tool", to_json(report.tool)},
          {"run", to_json(report.run)},
          {"host", to_json(report.host)},
          {"cases", std::move(cases)}};
}

void require_report_version(const base::Reader& reader) {
  if (!reader.value().is_number_integer() || reader.value() != kReportVersion) {
    throw reader.error("this program reads schema version " + std::to_string(kReportVersion) + ", found " +
                       reader.value().dump());
  }
}

Report read_report(base::Reader reader) {
  require_report_version(reader.at("schema_version"));
  Report report;
  report.tool = read_tool_info(reader.at("tool"));
  report.run = read_run_info(reader.at("run"));
  report.host = read_host_info(reader.at("host"));
  const base::Reader cases = reader.at("cases");
  for (const base::Reader& item : cases.items()) report.cases.push_back(read_case_result(item));
  require_planned_cases(cases, report);
  reader.done();
  return report;
}

}  // namespace mpsbench::schema
