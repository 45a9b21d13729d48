// What a gate judges, in reports.
#pragma once

#include "base/json_reader.hpp"
#include "schema/gated_metric.hpp"

#include <nlohmann/json.hpp>

#include <vector>

namespace mpsbench::schema {

[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<GateOn>& gates);
// Refuses a metric that occurs twice.
[[nodiscard]] std::vector<GateOn> read_gate_on(const base::Reader& reader);

}  // namespace mpsbench::schema
