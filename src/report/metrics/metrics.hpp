// Computes a case's metrics from its good launches' raw samples and its network's plan.
#pragma once

#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace mpsbench::report {

// Notes by path ("metrics.step_seconds.p90"): why a value is null. A note on a group
// ("metrics.latency_seconds") applies to all its values.
using Notes = std::map<std::string, std::string>;
using Metric = decltype(schema::MetricField::member);

struct MetricsAndNotes {
  schema::Metrics metrics{};
  Notes notes{};

  // Notes the REASON why METRIC, or its value PART, is null.
  void note(const Metric& metric, const std::string& reason, const std::string& part = "");
  // The reason why METRIC, which is null, is so.
  [[nodiscard]] const std::string& reason_of(const Metric& metric) const;
  // Sets METRIC, or notes the REASON if VALUE is null.
  template <typename T>
  void set(std::optional<T> schema::Metrics::* metric, const std::optional<T>& value, const std::string& reason) {
    metrics.*metric = value;
    if (!value) note(metric, reason);
  }
};

// PLAN is as from counted_plan(). CEILING is the peak FLOP/s of the case's device in its precision
// or, if it generates, the peak bytes a second; BUS_CEILING
// the bytes a second of all-reduce between its GPUs. RUN has the price of the machine and says which other figures the
// user asked for.
[[nodiscard]] MetricsAndNotes compute_metrics(const schema::CaseSpec& spec,
                                              const std::optional<schema::NetworkPlan>& plan,
                                              std::span<const schema::Launch> launches,
                                              std::optional<double> ceiling = {}, const schema::RunInfo& run = {},
                                              std::optional<double> bus_ceiling = {});

// How fast a case is: its rows a second or, if it generates, its tokens a second.
[[nodiscard]] schema::ValueMetric speed_of(const schema::CaseSpec& spec, const schema::Metrics& metrics);

}  // namespace mpsbench::report
