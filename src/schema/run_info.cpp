#include "schema/run_info.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/units.hpp"

#include <functional>
#include <set>
#include <utility>

namespace mpsbench::schema {

namespace {

using nlohmann::ordered_json;

// Checks that the plan names each case once and that its definition is present.
void require_whole_plan(const base::Reader& ids, const RunInfo& run) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < run.planned.size(); ++i) {
    const PlannedCase& planned = run.planned[i];
    if (!seen.insert(planned.id).second) throw ids.item(i).error("the case is in the plan twice");
    if (!run.definitions.contains(planned.definition_sha256))
      throw ids.item(i).error("$.run.definitions lacks this case's " + base::excerpt(planned.definition_sha256));
  }
}

void require_percentiles(const base::Reader& reader, const std::vector<double>& percentiles) {
  if (std::adjacent_find(percentiles.begin(), percentiles.end(), std::greater_equal<>()) != percentiles.end() ||
      (!percentiles.empty() && !(percentiles.front() > 0 && percentiles.back() < 100)))
    throw reader.error("expected numbers between 0 and 100, in rising order");
}

constexpr const char* kTimedLoop = "timed_loop";  // no network's definition has this key

}  // namespace

nlohmann::json timed_loop_definition(const std::string& name) {
  return {{"name", name}, {kTimedLoop, true}};
}

bool is_timed_loop(const nlohmann::json& definition) {
  return definition.is_object() && definition.contains(kTimedLoop);
}

std::string words_of(const LauncherInfo& launcher) {
  return launcher.name + " with " + base::counted(launcher.ranks, "process", "processes") + " on " +
         base::counted(launcher.hosts, "machine", "machines");
}

std::string definition_sha256(const nlohmann::json& document) {
  return base::sha256_hex(document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

ordered_json Json<RunInfo>::write(const RunInfo& run) {
  ordered_json object;
  ordered_json fields = ObjectJson::write(run);
  for (auto& [key, value] : fields.items()) {
    if (key == "planned") {
      ordered_json& ids = object["plan"] = ordered_json::array();
      for (const PlannedCase& planned : run.planned) ids.push_back(planned.id);
    }
    object[key] = std::move(value);
  }
  return object;
}

RunInfo Json<RunInfo>::read(base::Reader reader, const FieldInfo& about) {
  const base::Reader ids = reader.at("plan");
  RunInfo run = ObjectJson::read(reader, about);
  const bool is_gate = run.purpose == Purpose::baseline || run.purpose == Purpose::versus;
  if (run.gate.has_value() != is_gate)
    throw reader.error(is_gate ? "the key 'gate' is missing, which the purposes baseline and versus need"
                               : "the purpose baseline or versus is missing, which the key 'gate' needs");
  require_percentiles(reader.at("percentiles"), run.percentiles);
  const auto names = from_json<std::vector<std::string>>(ids);
  for (std::size_t i = 0; i < std::max(names.size(), run.planned.size()); ++i) {
    if (i >= names.size() || i >= run.planned.size() || names[i] != run.planned[i].id) {
      throw ids.error("must name the cases of $.run.planned in the same order");
    }
  }
  require_whole_plan(ids, run);
  return run;
}

ordered_json Json<RunInfo>::definition() {
  ordered_json run = ObjectJson::definition();
  run["properties"]["plan"] = {{"type", "array"},
                               {"items", {{"type", "string"}}},
                               {"description", "The ids of the cases of planned, in the same order."}};
  run["required"].push_back("plan");
  return run;
}

}  // namespace mpsbench::schema
