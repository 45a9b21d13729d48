// What a gate judges. Smaller is better for all of them.
#pragma once

#include "schema/closed_set.hpp"

#include <array>
#include <optional>

namespace mpsbench::schema {

enum class GatedMetric { step, latency_p99, peak_memory, energy };

struct GatedMetricRow {
  GatedMetric value;
  std::string_view name;
};

template <>
struct ClosedSet<GatedMetric> {
  static constexpr const char* kWhat = "metric";
  static constexpr std::array kRows{
      GatedMetricRow{GatedMetric::step, "step"}, GatedMetricRow{GatedMetric::latency_p99, "latency-p99"},
      GatedMetricRow{GatedMetric::peak_memory, "peak-memory"}, GatedMetricRow{GatedMetric::energy, "energy"}};
};
static_assert(is_whole<GatedMetric>());

// A metric that a gate judges, and the smallest change of it that matters.
struct GateOn {
  GatedMetric metric = GatedMetric::step;
  std::optional<double> threshold;  // null: the case's threshold

  bool operator==(const GateOn&) const = default;
};

}  // namespace mpsbench::schema
