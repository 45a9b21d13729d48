#include "schema/report.hpp"

#include "base/json_file.hpp"
#include "base/sha256.hpp"
#include "schema/gate_on.hpp"
#include "schema/optional_json.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const TiedBatches& tied) {
  return {{"least", tied.least}, {"most", tied.most}, {"half_width", tied.half_width}};
}

TiedBatches read_tied_batches(base::Reader reader) {
  TiedBatches tied;
  tied.least = reader.at("least").integer(1);
  tied.most = reader.at("most").integer(tied.least);
  tied.half_width = reader.at("half_width").number(0, std::numeric_limits<double>::max());
  reader.done();
  return tied;
}

PlannedCase read_planned_case(base::Reader reader) {
  PlannedCase planned;
  planned.id = reader.at("id").string();
  planned.definition_sha256 = reader.at("definition_sha256").string();
  planned.spec = read_case_spec(reader.at("spec"));
  planned.measure = read_measure_spec(reader.at("measure"));
  planned.repeats = read_count(reader.at("repeats"));
  if (const auto repeated = reader.find("repeated")) planned.repeated = read_count(*repeated);
  planned.timeout_seconds = reader.at("timeout_seconds").number();
  if (const auto meeting = reader.find("rendezvous_timeout_seconds"))
    planned.rendezvous_timeout_seconds = meeting->number();
  planned.cooldown_seconds = reader.at("cooldown_seconds").number();
  if (const auto calm = reader.find("is_cooldown_auto")) planned.is_cooldown_auto = calm->boolean();
  if (const auto bound = reader.find("is_bound")) planned.is_bound = bound->boolean();
  if (const auto tied = reader.find("tied_batches")) planned.tied_batches = read_tied_batches(*tied);
  if (const auto threshold = reader.find("threshold"))
    planned.threshold = threshold->number(kLeastThreshold, kMostThreshold);
  if (const auto gates = reader.find("gate_on")) planned.gate_on = read_gate_on(*gates);
  planned.weights_path = string_or_null(reader.at("weights_path"));
  if (const auto data = reader.find("data_path")) planned.data_path = data->string();
  if (const auto words = reader.find("vocabulary_path")) planned.vocabulary_path = words->string();
  planned.dump_first_step_path = string_or_null(reader.at("dump_first_step_path"));
  reader.done();
  return planned;
}

ordered_json to_json(const FewerThreads& fewer) {
  return {{"id", fewer.id},
          {"usual_threads", fewer.usual_threads},
          {"usual_step_seconds", fewer.usual_step_seconds},
          {"threads", fewer.threads},
          {"step_seconds", fewer.step_seconds}};
}

FewerThreads read_fewer_threads(base::Reader reader) {
  FewerThreads fewer;
  fewer.id = reader.at("id").string();
  fewer.usual_threads = read_count(reader.at("usual_threads"));
  fewer.usual_step_seconds = reader.at("usual_step_seconds").number();
  fewer.threads = read_count(reader.at("threads"));
  fewer.step_seconds = reader.at("step_seconds").number();
  reader.done();
  return fewer;
}

std::map<std::string, nlohmann::json> read_definitions(base::Reader reader) {
  std::map<std::string, nlohmann::json> definitions;
  for (const std::string& sha256 : reader.keys()) {
    const base::Reader definition = reader.at(sha256);
    if (definition_sha256(definition.value()) != sha256)
      throw definition.error("does not match its SHA-256; the definition was changed after the run");
    definitions[sha256] = definition.value();
  }
  return definitions;
}

// Checks that the plan names each case once and that its definition is present.
void require_whole_plan(const base::Reader& ids, const RunInfo& run) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < run.planned.size(); ++i) {
    const PlannedCase& planned = run.planned[i];
    if (!seen.insert(planned.id).second) throw ids.item(i).error("the case is in the plan twice");
    if (!run.definitions.contains(planned.definition_sha256))
      throw ids.item(i).error("$.run.definitions lacks this case's " +
                              base::excerpt(planned.definition_sha256));
  }
}

void require_planned_cases(const base::Reader& cases, const Report& report) {
  const std::vector<PlannedCase>& plan = report.run.planned;
  for (std::size_t i = 0; i < std::max(plan.size(), report.cases.size()); ++i) {
    const bool fits = i < plan.size() && i < report.cases.size() && report.cases[i].id == plan[i].id &&
                      report.cases[i].definition_sha256 == plan[i].definition_sha256;
    if (!fits) throw cases.error("must have the cases of $.run.plan, each once and in the same order");
  }
}

std::vector<double> read_percentiles(const base::Reader& reader) {
  std::vector<double> percentiles = reader.numbers();
  if (std::adjacent_find(percentiles.begin(), percentiles.end(), std::greater_equal<>()) !=
          percentiles.end() ||
      (!percentiles.empty() && !(percentiles.front() > 0 && percentiles.back() < 100)))
    throw reader.error("expected numbers between 0 and 100, in rising order");
  return percentiles;
}

}  // namespace

double measuring_limit_seconds(const PlannedCase& planned) {
  return planned.spec.epochs || planned.spec.iterations ? planned.timeout_seconds
                                                        : planned.measure.max_time_seconds;
}

std::string definition_sha256(const nlohmann::json& document) {
  return base::sha256_hex(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

ordered_json to_json(const PlannedCase& planned) {
  return {{"id", planned.id},
          {"definition_sha256", planned.definition_sha256},
          {"spec", to_json(planned.spec)},
          {"measure", to_json(planned.measure)},
          {"repeats", planned.repeats},
          {"repeated", planned.repeated},
          {"timeout_seconds", planned.timeout_seconds},
          {"rendezvous_timeout_seconds", planned.rendezvous_timeout_seconds},
          {"cooldown_seconds", planned.cooldown_seconds},
          {"is_cooldown_auto", planned.is_cooldown_auto},
          {"is_bound", planned.is_bound},
          {"tied_batches", planned.tied_batches ? to_json(*planned.tied_batches) : ordered_json(nullptr)},
          {"threshold", or_null(planned.threshold)},
          {"gate_on", to_json(planned.gate_on)},
          {"weights_path", or_null(planned.weights_path)},
          {"data_path", or_null(planned.data_path)},
          {"vocabulary_path", or_null(planned.vocabulary_path)},
          {"dump_first_step_path", or_null(planned.dump_first_step_path)}};
}

ordered_json to_json(const RunInfo& run) {
  ordered_json ids = ordered_json::array();
  ordered_json planned = ordered_json::array();
  for (const PlannedCase& one : run.planned) {
    ids.push_back(one.id);
    planned.push_back(to_json(one));
  }
  return {{"id", run.id},
          {"started_at", run.started_at},
          {"finished_at", or_null(run.finished_at)},
          {"status", to_string(run.status)},
          {"argv", run.argv},
          {"seed", run.seed},
          {"suite", run.suite},
          {"purpose", run.purpose ? ordered_json(to_string(*run.purpose)) : ordered_json(nullptr)},
          {"gate", run.gate ? to_json(*run.gate) : ordered_json(nullptr)},
          {"launcher", run.launcher ? to_json(*run.launcher) : ordered_json(nullptr)},
          {"strict", run.strict},
          {"repeats_disturbed", run.repeats_disturbed},
          {"planned_within_seconds", or_null(run.planned_within_seconds)},
          {"fewer_threads", run.fewer_threads ? to_json(*run.fewer_threads) : ordered_json(nullptr)},
          {"price_dollars", or_null(run.price_dollars)},
          {"epochs_projected", or_null(run.epochs_projected)},
          {"percentiles", run.percentiles},
          {"plan", std::move(ids)},
          {"planned", std::move(planned)},
          {"definitions", ordered_json(run.definitions)}};
}

RunInfo read_run_info(base::Reader reader) {
  RunInfo run;
  run.id = reader.at("id").string();
  run.started_at = reader.at("started_at").string();
  run.finished_at = string_or_null(reader.at("finished_at"));
  run.status = read_name<RunStatus>(reader.at("status"));
  run.argv = reader.at("argv").strings();
  run.seed = read_count(reader.at("seed"));
  run.suite = reader.at("suite").string();
  if (const auto purpose = reader.find("purpose")) run.purpose = read_name<Purpose>(*purpose);
  if (const auto gate = reader.find("gate")) run.gate = read_gate_info(*gate);
  const bool is_gate = run.purpose == Purpose::baseline || run.purpose == Purpose::versus;
  if (run.gate.has_value() != is_gate)
    throw reader.error(is_gate ? "the key 'gate' is missing, which the purposes baseline and versus need"
                               : "the purpose baseline or versus is missing, which the key 'gate' needs");
  if (const auto launcher = reader.find("launcher")) run.launcher = read_launcher_info(*launcher);
  run.strict = reader.at("strict").boolean();
  if (const auto repeats = reader.find("repeats_disturbed")) run.repeats_disturbed = repeats->boolean();
  if (const auto limit = reader.find("planned_within_seconds")) run.planned_within_seconds = limit->number();
  if (const auto fewer = reader.find("fewer_threads")) run.fewer_threads = read_fewer_threads(*fewer);
  if (const auto price = reader.find("price_dollars")) run.price_dollars = price->number();
  if (const auto epochs = reader.find("epochs_projected")) run.epochs_projected = count_or_null(*epochs);
  if (const auto percentiles = reader.find("percentiles")) run.percentiles = read_percentiles(*percentiles);
  for (const base::Reader& item : reader.at("planned").items())
    run.planned.push_back(read_planned_case(item));
  const base::Reader ids = reader.at("plan");
  const std::vector<std::string> names = ids.strings();
  for (std::size_t i = 0; i < std::max(names.size(), run.planned.size()); ++i) {
    if (i >= names.size() || i >= run.planned.size() || names[i] != run.planned[i].id) {
      throw ids.error("must name the cases of $.run.planned in the same order");
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
          {"notes", ordered_json(result.notes)},
          {"published", result.published ? to_json(*result.published) : ordered_json(nullptr)}};
}

CaseResult read_case_result(base::Reader reader) {
  CaseResult result;
  result.id = reader.at("id").string();
  result.definition_sha256 = reader.at("definition_sha256").string();
  result.spec = read_case_spec(reader.at("spec"));
  result.status = read_name<Status>(reader.at("status"));
  if (const auto failure = reader.find("failure")) result.failure = read_failure(*failure);
  for (const base::Reader& launch : reader.at("launches").items())
    result.launches.push_back(read_launch(launch));
  result.metrics = read_metrics(reader.at("metrics"));
  result.flags = reader.at("flags").strings();
  base::Reader notes = reader.at("notes");
  for (const std::string& key : notes.keys()) result.notes[key] = notes.at(key).string();
  if (const auto published = reader.find("published")) {
    result.published = read_published(*published);
    if (!result.launches.empty()) throw published->error("a published case cannot have launches");
  }
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
