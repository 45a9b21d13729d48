#include "report/metrics/assemble.hpp"

#include "base/error.hpp"
#include "report/host/privacy.hpp"
#include "report/metrics/ceilings.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/metric_parts.hpp"
#include "report/metrics/metrics.hpp"
#include "report/metrics/scaling.hpp"
#include "schema/launch_part.hpp"
#include "schema/network_plan.hpp"
#include "schema/run_info.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace mpsbench::report {
namespace {

using schema::Launch;
using schema::RunStatus;
using schema::Status;

void hide_homes(std::optional<schema::Failure>& failure) {
  if (!failure) return;
  failure->message = hide_home(failure->message);
  failure->detail = hide_home(failure->detail);
}

void set_status(schema::CaseResult& result, std::int64_t planned_launches) {
  const auto& launches = result.launches;
  const auto failed = std::ranges::find_if(launches, [](const Launch& launch) {
    return launch.status != Status::ok && launch.status != Status::interrupted;
  });
  if (failed != launches.end()) {
    result.status = failed->status;
    result.failure = failed->failure;
    return;
  }
  if (std::ranges::any_of(launches, schema::counts) || planned_launches == 0) return;
  result.status = Status::interrupted;
  result.failure = schema::Failure{"interrupted", "the run ended before this case was measured", ""};
}

using Figures = std::tuple<schema::Metrics, Notes, std::vector<std::string>>;

void set_figures(const schema::RunRecord& record, const schema::PlannedCase& planned, schema::CaseResult& result) {
  MetricsAndNotes computed =
      compute_metrics(result.spec, counted_plan(record.run, planned.definition_sha256, planned.spec), result.launches,
                      row_of(result.spec.mode).generates ? bytes_ceiling(record.host.ceilings, result.spec)
                                                         : flops_ceiling(record.host.ceilings, result.spec),
                      record.run, bus_ceiling(record.host.ceilings, result.spec));
  if (planned.spec.ranks > 1) set_efficiency(record, planned, computed);
  result.metrics = std::move(computed.metrics);
  result.notes = std::move(computed.notes);
  result.flags = flags_of(result, planned.repeats, record.host);
}

schema::CaseResult assemble_case(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  schema::CaseResult result;
  result.id = planned.id;
  result.definition_sha256 = planned.definition_sha256;
  result.spec = planned.spec;
  const auto found = record.launches.find(planned.id);
  if (found != record.launches.end()) result.launches = found->second;
  const auto unfinished = record.unfinished.find(planned.id);
  if (unfinished != record.unfinished.end())
    result.launches.insert(result.launches.end(), unfinished->second.begin(), unfinished->second.end());
  for (Launch& launch : result.launches) hide_homes(launch.failure);
  set_status(result, planned.repeats);
  set_figures(record, planned, result);
  return result;
}

bool is_same(const nlohmann::json& stored, const nlohmann::json& computed) {
  if (!stored.is_number() || !computed.is_number()) return stored == computed;
  return is_alike(stored.get<double>(), computed.get<double>());
}

// Whether a later version added the key at POINTER or one above it: it is missing in an object of METRICS.
bool is_unknown_key(const nlohmann::json& metrics, const std::string& pointer) {
  nlohmann::json::json_pointer place(pointer);
  while (!metrics.contains(place)) place.pop_back();
  return metrics.at(place).is_object();
}

// Returns what STORED, the metrics in a file, has that METRICS do not. A file may lack metrics.
std::optional<Unfounded> first_unfounded(const nlohmann::json& stored, const schema::Metrics& metrics) {
  const nlohmann::json written(schema::to_json(metrics));
  const nlohmann::json computed = written.flatten();
  const nlohmann::json flat = stored.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const auto found = computed.find(pointer);
    if (found != computed.end() ? is_same(value, *found) : is_unknown_key(written, pointer)) continue;
    std::string key = pointer.substr(1);
    std::ranges::replace(key, '/', '.');
    return Unfounded{.key = key, .stored = value.dump(), .computed = found == computed.end() ? "" : found->dump()};
  }
  return std::nullopt;
}

// Whether a launch needs no second try: it succeeded, or the device can never run it.
bool is_settled(const Launch& launch) {
  return launch.status == Status::ok || launch.status == Status::unsupported;
}

RunStatus run_status(const schema::RunRecord& record, const std::vector<schema::CaseResult>& cases) {
  bool stopped = record.run.status == RunStatus::interrupted;
  bool whole = true;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::vector<Launch>& launches = cases[i].launches;
    const bool missing = static_cast<std::int64_t>(launches.size()) < record.run.planned[i].repeats;
    whole = whole && !missing && std::ranges::all_of(launches, is_settled);
    stopped = stopped || (missing && !record.run.finished_at) ||
              std::ranges::count(launches, Status::interrupted, &Launch::status) > 0;
  }
  if (stopped) return RunStatus::interrupted;
  return whole ? RunStatus::complete : RunStatus::partial;
}

}  // namespace

schema::Report assemble(const schema::RunRecord& record) {
  schema::Report report{record.tool, record.run, record.host, {}};
  for (const schema::PlannedCase& planned : record.run.planned) {
    report.cases.push_back(assemble_case(record, planned));
  }
  report.run.status = run_status(record, report.cases);
  for (std::string& argument : report.run.argv) argument = hide_home(argument);
  for (schema::PlannedCase& planned : report.run.planned) {
    for (std::optional<std::string>* path :
         {&planned.weights_path, &planned.data_path, &planned.vocabulary_path, &planned.dump_first_step_path}) {
      if (*path) *path = hide_home(**path);
    }
  }
  return report;
}

std::vector<Unfounded> recompute(schema::Report& report, const nlohmann::json& document) {
  schema::RunRecord record{report.tool, report.run, report.host, {}};
  for (const schema::CaseResult& result : report.cases) record.launches[result.id] = result.launches;
  std::vector<Unfounded> all;
  for (std::size_t number = 0; number < report.cases.size(); ++number) {
    schema::CaseResult& result = report.cases[number];
    if (result.published) continue;
    const Figures stored{result.metrics, result.notes, result.flags};
    std::optional<Unfounded> found;
    try {
      set_figures(record, report.run.planned[number], result);
      found = first_unfounded(document.at("cases").at(number).at("metrics"), result.metrics);
    } catch (const base::Error&) {  // NOLINT(bugprone-empty-catch): a later version may have written the definition
    }
    if (found) {
      found->number = number;
      all.push_back(*std::move(found));
    } else {
      std::tie(result.metrics, result.notes, result.flags) = stored;
    }
  }
  return all;
}

}  // namespace mpsbench::report
