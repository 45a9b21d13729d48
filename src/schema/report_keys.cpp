#include "schema/report_keys.hpp"

#include "schema/report.hpp"

#include <functional>
#include <set>
#include <string>

namespace mpsbench::schema {
namespace {

using Keys = std::set<std::string, std::less<>>;

void collect(const nlohmann::ordered_json& value, Keys& keys) {
  if (value.is_object()) {
    for (const auto& [key, one] : value.items()) {
      keys.insert(key);
      collect(one, keys);
    }
  } else if (value.is_array()) {
    for (const auto& one : value) collect(one, keys);
  }
}

// The same of a table's JSON Schema, which also has the keys that are absent when empty.
void collect_schema(const nlohmann::ordered_json& schema, Keys& keys) {
  if (schema.is_object() && schema.contains("properties")) {
    for (const auto& [key, one] : schema.at("properties").items()) keys.insert(key);
  }
  for (const auto& one : schema) {
    if (one.is_structured()) collect_schema(one, keys);
  }
}

// An empty report is written with all other keys.
Keys report_keys() {
  Report report;
  report.run.planned.emplace_back();
  report.cases.emplace_back().launches.emplace_back();
  Keys keys;
  collect(to_json(report), keys);
  for (const auto& schema : {launch_json_schema(), rank_json_schema(), metrics_json_schema()})
    collect_schema(schema, keys);
  return keys;
}

}  // namespace

bool is_report_key(std::string_view key) {
  static const Keys kKeys = report_keys();
  return kKeys.contains(key);
}

}  // namespace mpsbench::schema
