#include "report/metrics/counted_launches.hpp"

#include "report/metrics/metric_parts.hpp"
#include "schema/launch_part.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <iterator>
#include <limits>

namespace mpsbench::report {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kLeastReadings = 8;

bool is_disturbed(const schema::Launch* launch) {
  return launch->disturbed.has_value();
}

LaunchValue value_or(std::optional<double> value, const std::string& why_missing) {
  if (value && *value > 0 && std::isfinite(*value)) return {value, ""};
  return {std::nullopt, why_missing};
}

LaunchValue latency_p99(const schema::CaseSpec& spec, const schema::Launch& launch) {
  constexpr double kPercent = 99;
  const bool is_own = has_own_latencies(spec);
  const std::vector<double>& samples = is_own ? launch.latency_samples_seconds : launch.samples_seconds;
  if (samples.empty()) return {std::nullopt, "--epochs and --iterations measure no latency"};
  if (!is_own && launch.steps_per_sample != 1)
    return {std::nullopt, "steps are too short to time each; use a larger --batch-size"};
  const std::string needed = std::to_string(stats::samples_for_percentile(kPercent));
  return value_or(stats::percentile(samples, kPercent), "a launch has " + std::to_string(samples.size()) + " of " +
                                                            needed + " samples; use --min-samples " + needed +
                                                            " and a longer --max-time");
}

// Of a row or, if the case generates, of a token.
LaunchValue energy_per_row(const schema::CaseSpec& spec, const schema::Launch& launch) {
  const schema::RunInfo run;
  CaseFigures figures(spec, run, {&launch});
  figures.whole = figures.good;
  set_energy(figures);
  const auto metric =
      row_of(spec.mode).generates ? &schema::Metrics::energy_joules_per_token : &schema::Metrics::energy_joules_per_row;
  const auto& joules = figures.metrics.*metric;
  return value_or(joules, joules ? "" : figures.reason_of(metric));
}

}  // namespace

std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches) {
  std::vector<const schema::Launch*> good = schema::counted(launches);
  keep_counted(good, is_disturbed);
  return good;
}

LaunchCounts launch_counts(std::span<const schema::Launch> launches) {
  const std::vector<const schema::Launch*> good = schema::counted(launches);
  return {.good = good.size(),
          .disturbed = static_cast<std::size_t>(std::ranges::count_if(good, is_disturbed)),
          .counted = counted_launches(launches).size()};
}

std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch) {
  std::int64_t steps = 0;
  for (const schema::EpochRecord& epoch : launch.epochs) steps += std::min(epoch.steps, kMost - steps);
  if (steps > 0) return steps;
  if (launch.loop_seconds && spec.iterations) return *spec.iterations;
  const std::int64_t samples = std::ssize(launch.samples_seconds);
  if (samples == 0) return 0;
  steps = launch.steps_per_sample > kMost / samples ? kMost : samples * launch.steps_per_sample;
  return std::min(steps, spec.max_batches.value_or(steps));
}

double measured_rows(const schema::CaseSpec& spec, const schema::Launch& launch) {
  if (launch.epochs.empty())
    return static_cast<double>(measured_steps(spec, launch)) * static_cast<double>(schema::rows_per_step(spec));
  double rows = 0;
  for (const schema::EpochRecord& epoch : launch.epochs) rows += static_cast<double>(epoch.rows);
  return rows;
}

std::string rate_kind(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& launches) {
  const auto all = [&launches](const auto& has) {
    return !launches.empty() && std::ranges::all_of(launches, [&](const auto* one) { return has(*one); });
  };
  if (all([&](const schema::Launch& one) { return !one.epochs.empty() && measured_rows(spec, one) > 0; }))
    return schema::kOfEpochs;
  if (spec.iterations && all([](const schema::Launch& one) { return one.loop_seconds.has_value(); }))
    return schema::kOfLoop;
  return schema::kOfMedianStep;
}

std::optional<double> rows_per_second(const schema::CaseSpec& spec, const schema::Launch& launch) {
  const std::string kind = rate_kind(spec, {&launch});
  double rows = measured_rows(spec, launch);
  double seconds = launch.loop_seconds.value_or(0);
  if (kind == schema::kOfMedianStep) {
    rows = static_cast<double>(schema::rows_per_step(spec));
    seconds = stats::median(launch.samples_seconds).value_or(0);
  } else if (kind == schema::kOfEpochs) {
    seconds = 0;
    for (const schema::EpochRecord& epoch : launch.epochs) seconds += epoch.seconds;
  }
  return seconds > 0 ? std::optional(rows / seconds) : std::nullopt;
}

std::optional<double> live_bytes_per_step(const schema::Launch& launch) {
  const std::size_t count = launch.live_bytes.size();
  if (count < kLeastReadings) return std::nullopt;
  std::vector<double> steps;
  std::vector<double> bytes;
  for (std::size_t i = count / 2; i < count; ++i) {
    steps.push_back(static_cast<double>(launch.live_bytes[i].step));
    bytes.push_back(static_cast<double>(launch.live_bytes[i].bytes));
  }
  return stats::median_slope(steps, bytes);
}

bool is_leaking(const schema::Launch& launch) {
  if (launch.live_bytes.size() < kLeastReadings) return false;
  const std::size_t last = launch.live_bytes.size() - 1;
  const auto at_quarter = [&](std::size_t quarter) { return launch.live_bytes[quarter * last / 4].bytes; };
  for (std::size_t quarter = 1; quarter < 4; ++quarter) {
    if (at_quarter(quarter + 1) - at_quarter(quarter) <= kLeakBytes) return false;
  }
  return true;
}

LaunchValue launch_value(schema::GatedMetric metric, const schema::CaseSpec& spec, const schema::Launch& launch) {
  if (!row_of(metric).is_of(spec.mode)) return {std::nullopt, "--mode " + to_string(spec.mode) + " has none"};
  switch (metric) {
    case schema::GatedMetric::step:
      return value_or(stats::median(launch.samples_seconds), "no samples");
    case schema::GatedMetric::latency_p99:
      return latency_p99(spec, launch);
    case schema::GatedMetric::first_token:
      return value_or(stats::median(launch.prefill_samples_seconds), "no samples");
    case schema::GatedMetric::peak_memory:
      return value_or(peak_bytes(launch), "the system does not report it");
    case schema::GatedMetric::energy:
      break;
  }
  return energy_per_row(spec, launch);
}

}  // namespace mpsbench::report
