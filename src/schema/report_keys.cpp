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

// An empty report is written with all its keys.
Keys report_keys() {
  Report report;
  report.run.planned.emplace_back();
  report.cases.emplace_back().launches.emplace_back();
  Keys keys;
  collect(to_json(report), keys);
  return keys;
}

}  // namespace

bool is_report_key(std::string_view key) {
  static const Keys kKeys = report_keys();
  return kKeys.contains(key);
}

}  // namespace mpsbench::schema
