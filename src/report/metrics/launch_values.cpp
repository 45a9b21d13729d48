#include "report/metrics/launch_values.hpp"

#include "report/metrics/resource_metrics.hpp"
#include "stats/summary.hpp"

#include <cmath>

namespace mpsbench::report {
namespace {

LaunchValue value_or(std::optional<double> value, const std::string& why_missing) {
  if (value && *value > 0 && std::isfinite(*value)) return {value, ""};
  return {std::nullopt, why_missing};
}

LaunchValue latency_p99(const schema::CaseSpec& spec, const schema::Launch& launch) {
  constexpr double kPercent = 99;
  if (!row_of(spec.mode).has_latency) return {std::nullopt, "only inference has a latency"};
  const bool is_own = spec.device.row().asynchronous;
  const std::vector<double>& samples = is_own ? launch.latency_samples_seconds : launch.samples_seconds;
  if (samples.empty()) return {std::nullopt, "--epochs and --iterations measure no latency"};
  if (!is_own && launch.steps_per_sample != 1)
    return {std::nullopt, "steps are too short to time each; use a larger --batch-size"};
  const std::string needed = std::to_string(stats::samples_for_percentile(kPercent));
  return value_or(stats::percentile(samples, kPercent), "a launch has " + std::to_string(samples.size()) + " of " +
                                                            needed + " samples; use --min-samples " + needed +
                                                            " and a longer --max-time");
}

LaunchValue peak_memory(const schema::Launch& launch) {
  const std::optional<std::int64_t> bytes = peak_bytes(launch);
  return value_or(bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt, "the system does not report it");
}

LaunchValue energy_per_row(const schema::CaseSpec& spec, const schema::Launch& launch) {
  schema::Metrics metrics;
  Notes notes;
  set_energy(spec, {&launch}, metrics, notes);
  return value_or(metrics.energy_joules_per_row, notes["metrics.energy_joules_per_row"]);
}

}  // namespace

LaunchValue launch_value(schema::GatedMetric metric, const schema::CaseSpec& spec, const schema::Launch& launch) {
  switch (metric) {
    case schema::GatedMetric::step:
      return value_or(stats::median(launch.samples_seconds), "no samples");
    case schema::GatedMetric::latency_p99:
      return latency_p99(spec, launch);
    case schema::GatedMetric::peak_memory:
      return peak_memory(launch);
    case schema::GatedMetric::energy:
      break;
  }
  return energy_per_row(spec, launch);
}

}  // namespace mpsbench::report
