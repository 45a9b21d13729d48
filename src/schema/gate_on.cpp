#include "schema/gate_on.hpp"

#include "schema/optional_json.hpp"
#include "schema/report.hpp"

#include <algorithm>

namespace mpsbench::schema {

nlohmann::ordered_json to_json(const std::vector<GateOn>& gates) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const GateOn& gate : gates)
    all.push_back({{"metric", to_string(gate.metric)}, {"threshold", or_null(gate.threshold)}});
  return all;
}

std::vector<GateOn> read_gate_on(const base::Reader& reader) {
  std::vector<GateOn> gates;
  for (base::Reader item : reader.items()) {
    GateOn gate{read_name<GatedMetric>(item.at("metric")), std::nullopt};
    const base::Reader threshold = item.at("threshold");
    if (!threshold.is_null()) gate.threshold = threshold.number(kLeastThreshold, kMostThreshold);
    item.done();
    if (std::ranges::find(gates, gate.metric, &GateOn::metric) != gates.end())
      throw item.error("the metric " + to_string(gate.metric) + " occurs twice");
    gates.push_back(gate);
  }
  return gates;
}

}  // namespace mpsbench::schema
