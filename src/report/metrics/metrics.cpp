#include "report/metrics/metrics.hpp"

#include "report/metrics/counted_launches.hpp"
#include "report/metrics/epoch_metrics.hpp"
#include "report/metrics/location.hpp"
#include "report/metrics/resource_metrics.hpp"
#include "report/metrics/scaling.hpp"
#include "report/metrics/step_metrics.hpp"
#include "stats/interval.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace mpsbench::report {
namespace {

// Sets the drift of the median launch that has enough samples.
void set_drift(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes) {
  Samples ratios;
  for (const schema::Launch* launch : good) {
    if (const auto ratio = stats::drift_ratio(launch->samples_seconds)) ratios.push_back(*ratio);
  }
  metrics.drift_ratio = stats::median(ratios);
  if (!metrics.drift_ratio)
    notes["metrics.drift_ratio"] = "needs a launch with " + std::to_string(stats::kSamplesForDriftRatio) + " samples";
}

constexpr const char* kFlops = "metrics.flops_per_step";

// Steps that are padded to their longest text differ in their operations, and the report does not record the
// length of each timed step. So no count would fit the median step.
void set_counts(const schema::CaseSpec& spec, const std::optional<WorkCounts>& counts, schema::Metrics& metrics,
                Notes& notes) {
  if (counts) {
    metrics.parameters = counts->parameters;
    metrics.trainable_parameters = counts->trainable_parameters;
    if (spec.pad == schema::Pad::longest) {
      notes[kFlops] = "batches have different lengths (--pad longest), so steps differ in their operations";
    } else {
      metrics.flops_per_step = counts->flops_per_step;
    }
    return;
  }
  for (const char* path : {"metrics.parameters", "metrics.trainable_parameters", kFlops}) {
    notes[path] = row_of(spec.mode).has_network
                      ? "mpsbench cannot count the work of a model file or of another program's loop"
                      : "only batches are prepared (--mode data): no network runs";
  }
}

// Returns the time of as many rows as a step has.
Location batch_time(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, Means means,
                    const schema::Metrics& metrics) {
  if (metrics.rows_per_second.kind == schema::kOfMedianStep)
    return {metrics.step_seconds.median, metrics.step_seconds.ci95};
  means.values.clear();
  for (const schema::Launch* launch : good) {
    if (const auto rate = rows_per_second(spec, *launch))
      means.values.push_back(static_cast<double>(schema::rows_per_step(spec)) / *rate);
  }
  return locate(means, stats::launches_interval);
}

// MEANS: of the steps. Call this after the times are set.
void set_rates(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, const Means& means,
               schema::Metrics& metrics, Notes& notes) {
  metrics.rows_per_second.kind = rate_kind(spec, good);
  const Location batch = batch_time(spec, good, means, metrics);
  if (!batch.median || *batch.median <= 0) {
    for (const char* path : {"metrics.rows_per_second", "metrics.mean_rows_per_second", "metrics.flops_per_second"})
      notes[path] = "no step was measured";
    return;
  }
  const auto rows = static_cast<double>(schema::rows_per_step(spec));
  metrics.rows_per_second.value = rows / *batch.median;
  if (batch.ci95 && batch.ci95->low > 0) {
    metrics.rows_per_second.ci95 = schema::Interval{rows / batch.ci95->high, rows / batch.ci95->low};
  } else {
    notes["metrics.rows_per_second.ci95"] = "the step's time has no interval";
  }
  metrics.mean_rows_per_second = metrics.rows_per_second.kind == schema::kOfMedianStep
                                     ? rows / metrics.step_seconds.mean.value()
                                     : metrics.rows_per_second.value;
  if (metrics.flops_per_step) {
    metrics.flops_per_second = static_cast<double>(*metrics.flops_per_step) / *batch.median;
  } else {
    notes["metrics.flops_per_second"] = notes.at(kFlops);
  }
}

}  // namespace

MetricsAndNotes compute_metrics(const schema::CaseSpec& spec, const std::optional<WorkCounts>& counts,
                                std::span<const schema::Launch> launches, std::optional<double> flops_ceiling,
                                const schema::RunInfo& run, std::optional<double> bus_ceiling) {
  const std::vector<const schema::Launch*> good = counted_launches(launches);
  std::vector<const schema::Launch*> whole;
  std::ranges::copy_if(good, std::back_inserter(whole),
                       [](const schema::Launch* launch) { return launch->status == schema::Status::ok; });
  MetricsAndNotes result;
  schema::Metrics& metrics = result.metrics;
  set_counts(spec, counts, metrics, result.notes);
  set_times(spec, good, run.percentiles, metrics, result.notes);
  set_drift(good, metrics, result.notes);
  const Means means = means_of(select(good, &schema::Launch::samples_seconds));
  set_rates(spec, good, means, metrics, result.notes);
  set_least_traffic(spec, counts ? counts->least_bytes_per_step : 0, metrics, result.notes);
  set_ceiling_share(spec, flops_ceiling, metrics, result.notes);
  set_epochs(spec, good, means, run.epochs_projected, metrics, result.notes);
  set_loop(spec, whole, metrics, result.notes);
  set_value(run.price_dollars, metrics, result.notes);
  set_memory(spec, good, metrics, result.notes);
  set_data_wait(spec, good, metrics, result.notes);
  set_parts(spec, good, metrics, result.notes);
  set_communication(spec, good, metrics, result.notes);
  set_communication_share(spec, good, bus_ceiling, metrics, result.notes);
  set_accuracy(whole, metrics, result.notes);
  set_training_times(whole, metrics, result.notes);
  set_energy(spec, whole, metrics, result.notes);
  return result;
}

}  // namespace mpsbench::report
