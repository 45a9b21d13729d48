// Rows of tests: what the metrics of a case must be.
#pragma once

#include "report/metrics/metrics.hpp"
#include "support/errors.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::tests {

// A plan with 90 of 100 parameters trainable, and 4,000 FLOP a step.
[[nodiscard]] inline schema::NetworkPlan counted_plan() {
  schema::NetworkPlan plan;
  plan.parameters = 100;
  plan.trainable_parameters = 90;
  plan.forward_macs = 2'000;
  return plan;
}

[[nodiscard]] inline schema::CaseSpec training(std::int64_t batch_size = 64) {
  return sample_spec("mlp", schema::Mode::train, batch_size);
}

[[nodiscard]] inline schema::CaseSpec inference(std::int64_t batch_size = 64) {
  return sample_spec("mlp", schema::Mode::infer, batch_size);
}

// What a row expects of a value: that it is null, and that WHY is a part of the note about it; or only that it is
// not null.
[[nodiscard]] inline nlohmann::json none(const std::string& why) {
  return nlohmann::json::array({why});
}
inline const nlohmann::json kKnown = nlohmann::json::object();

struct MetricRow {
  const char* what;
  std::vector<schema::Launch> launches;
  nlohmann::json is;  // by path, such as "step_seconds/p90": the value, none() or kKnown
  schema::CaseSpec spec = training();
  std::optional<schema::NetworkPlan> plan = counted_plan();
  schema::RunInfo run = {};
  std::optional<double> ceiling = {};
  std::optional<double> bus_ceiling = {};
};

// The paths of all null values in METRICS.
inline void find_nulls(const nlohmann::json& metrics, const std::string& path, std::vector<std::string>& nulls) {
  if (metrics.is_null()) nulls.push_back(path);
  if (!metrics.is_object()) return;
  for (const auto& [key, inner] : metrics.items()) find_nulls(inner, path.empty() ? key : path + "." + key, nulls);
}

// Each null must have a note of its own or of its group, and each note a null.
inline void expect_reasons(const nlohmann::json& metrics, const report::Notes& notes) {
  std::vector<std::string> nulls;
  find_nulls(metrics, "metrics", nulls);
  EXPECT_FALSE(nulls.empty());
  for (const std::string& path : nulls) {
    const std::string group = path.substr(0, path.rfind('.'));
    EXPECT_TRUE(notes.contains(path) || notes.contains(group)) << path;
  }
  for (const auto& [path, reason] : notes) {
    EXPECT_FALSE(reason.empty()) << path;
    const auto is_null = [&nulls](const std::string& one) { return std::ranges::find(nulls, one) != nulls.end(); };
    EXPECT_TRUE(is_null(path) || is_null(path + ".median") || is_null(path + ".value")) << path << " is not null";
  }
}

// Returns the metrics and notes, for what a row cannot say.
inline report::MetricsAndNotes expect_metrics(const MetricRow& row) {
  SCOPED_TRACE(row.what);
  report::MetricsAndNotes computed =
      report::compute_metrics(row.spec, row.plan, row.launches, row.ceiling, row.run, row.bus_ceiling);
  const nlohmann::json metrics = schema::to_json(computed.metrics);
  for (const auto& [path, value] : row.is.items()) {
    const nlohmann::json found = metrics.value(nlohmann::json::json_pointer("/" + path), nlohmann::json());
    std::string key = "metrics." + path;
    std::ranges::replace(key, '/', '.');
    if (value.is_array()) {
      const auto is_null = [&](const char* part) { return found.value(part, nlohmann::json()).is_null(); };
      EXPECT_TRUE(found.is_null() || (is_null("median") && is_null("value"))) << path << " is " << found;
      EXPECT_TRUE(contains(computed.notes[key], value[0])) << path << ": " << computed.notes[key];
    } else if (value.is_object()) {
      EXPECT_FALSE(found.is_null()) << path;
    } else if (value.is_number() && found.is_number()) {
      EXPECT_NEAR(found.get<double>(), value.get<double>(), 1e-9 * std::abs(value.get<double>())) << path;
    } else {
      EXPECT_EQ(found, value) << path;
    }
  }
  // assemble() sets the efficiency of several processes.
  if (row.spec.ranks > 1) computed.notes["metrics.scaling_efficiency"] = "not in one process";
  expect_reasons(metrics, computed.notes);
  return computed;
}

inline void expect_all(const std::vector<MetricRow>& rows) {
  for (const MetricRow& row : rows) expect_metrics(row);
}

}  // namespace mpsbench::tests
