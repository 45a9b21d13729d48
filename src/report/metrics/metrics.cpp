#include "report/metrics/metrics.hpp"

#include "report/metrics/accuracy.hpp"
#include "report/metrics/data_wait.hpp"
#include "report/metrics/energy.hpp"
#include "report/metrics/loop_metrics.hpp"
#include "report/metrics/measured_steps.hpp"
#include "report/metrics/memory_metrics.hpp"
#include "report/metrics/rate_metrics.hpp"
#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace mpsbench::report {
namespace {

using Samples = std::vector<double>;

// The samples of one quantity: one list per launch, in order.
using LaunchSamples = std::vector<Samples>;

struct Location {
  std::optional<double> median;
  std::optional<schema::Interval> ci95;
};

// Returns the median of the launches' medians, with the interval over launches. A single launch has its own
// interval.
Location locate(const LaunchSamples& launches) {
  Samples medians;
  Samples half_widths;
  for (const Samples& samples : launches) {
    if (const auto median = stats::median(samples)) medians.push_back(*median);
    if (const auto interval = stats::median_interval(samples)) half_widths.push_back(interval->half_width());
  }
  Location location;
  location.median = stats::median(medians);
  if (!location.median) return location;
  if (medians.size() == 1) {
    for (const Samples& samples : launches) {
      const auto interval = stats::median_interval(samples);
      if (interval) location.ci95 = schema::Interval{interval->low, interval->high};
    }
  } else if (const auto interval = stats::launches_interval(medians, half_widths)) {
    location.ci95 = schema::Interval{interval->low, interval->high};
  }
  // The interval is centred on a mean of logarithms. Widen it if needed, so that it contains the reported
  // median.
  if (location.ci95) {
    location.ci95->low = std::min(location.ci95->low, *location.median);
    location.ci95->high = std::max(location.ci95->high, *location.median);
  }
  return location;
}

// The launches' means. A total over many steps is based on them, so that every slow step counts.
struct Means {
  Samples values;
  Samples half_widths;
};

Means means_of(const LaunchSamples& launches) {
  Means means;
  for (const Samples& samples : launches) {
    if (const auto mean = stats::mean(samples)) means.values.push_back(*mean);
    if (const auto half_width = stats::mean_half_width(samples)) means.half_widths.push_back(*half_width);
  }
  return means;
}

// Returns the means for a whole batch. They differ from MEANS if the last batch of an epoch is smaller.
Means batch_means(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, Means means) {
  if (spec.last_batch == schema::LastBatch::drop) return means;
  means.values.clear();
  for (const schema::Launch* launch : good) {
    if (const auto seconds = seconds_per_batch(spec, *launch)) means.values.push_back(*seconds);
  }
  return means;
}

// INTERVAL_OF computes the interval of the means' centre, or of one further launch.
Location locate(const Means& means, decltype(stats::launches_interval)& interval_of) {
  Location location;
  if (means.values.empty()) return location;
  const double centre = stats::median_of(means.values);
  location.median = centre;
  if (const auto interval = interval_of(means.values, means.half_widths))
    location.ci95 = schema::Interval{std::min(interval->low, centre), std::max(interval->high, centre)};
  return location;
}

std::string percentile_reason(bool single_steps, std::size_t count, std::size_t needed) {
  if (!single_steps) return "samples are windows of several steps, which hide the slowest step";
  return "needs " + std::to_string(needed) + " samples, has " + std::to_string(count);
}

// SINGLE_STEPS means that each sample is one step, so percentiles of the samples are meaningful. Otherwise
// the percentiles come from EVENT_STEPS, single steps that the device's events timed, if there are any.
schema::TimeMetrics time_metrics(const LaunchSamples& launches, bool single_steps, const Samples& event_steps,
                                 const std::string& path, Notes& notes) {
  Samples pooled;
  for (const Samples& samples : launches) pooled.insert(pooled.end(), samples.begin(), samples.end());
  schema::TimeMetrics metrics;
  if (pooled.empty()) return metrics;
  const Location location = locate(launches);
  metrics.median = location.median;
  metrics.ci95 = location.ci95;
  metrics.mean = stats::mean(pooled);
  metrics.stddev = stats::stddev(pooled);
  metrics.min = stats::minimum(pooled);
  metrics.max = stats::maximum(pooled);
  metrics.count = static_cast<std::int64_t>(pooled.size());
  const Samples& steps = single_steps ? pooled : event_steps;
  metrics.p90 = stats::p90(steps);
  metrics.p99 = stats::p99(steps);
  if (!metrics.ci95) notes[path + ".ci95"] = "one launch with too few samples has no interval";
  if (!metrics.stddev) notes[path + ".stddev"] = "needs 2 samples, has 1";
  if (!metrics.p90)
    notes[path + ".p90"] =
        percentile_reason(single_steps || !steps.empty(), steps.size(), stats::kSamplesForP90);
  if (!metrics.p99)
    notes[path + ".p99"] =
        percentile_reason(single_steps || !steps.empty(), steps.size(), stats::kSamplesForP99);
  return metrics;
}

// Returns TIME multiplied by FACTOR.
std::optional<schema::Interval> scaled(const std::optional<schema::Interval>& time, double factor) {
  if (!time) return std::nullopt;
  return schema::Interval{time->low * factor, time->high * factor};
}

// Whether every good launch measured whole epochs, none of them cut short by max_batches.
bool measured_whole_epochs(const std::vector<const schema::Launch*>& good, std::int64_t steps) {
  return !good.empty() && std::all_of(good.begin(), good.end(), [&](const schema::Launch* launch) {
    return !launch->epochs.empty() &&
           std::all_of(launch->epochs.begin(), launch->epochs.end(),
                       [&](const schema::EpochRecord& epoch) { return epoch.steps == steps; });
  });
}

// The interval predicts the next epoch, which will be in one more launch.
schema::EpochMetric epoch_metric(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                                 const Means& means, Notes& notes) {
  const std::string path = "metrics.epoch_seconds";
  const std::int64_t steps = schema::steps_per_epoch(spec);
  schema::EpochMetric epoch{std::nullopt, std::nullopt, "projected"};
  if (spec.epochs && steps > 0 && measured_whole_epochs(good, steps)) {
    LaunchSamples seconds;
    for (const schema::Launch* launch : good) {
      Samples& samples = seconds.emplace_back();
      for (const schema::EpochRecord& record : launch->epochs) samples.push_back(record.seconds);
    }
    const Location location = locate(means_of(seconds), stats::next_launch_interval);
    epoch = {location.median, location.ci95, "measured"};
    if (!epoch.ci95) notes[path + ".ci95"] = "one launch with too few epochs has no interval";
    return epoch;
  }
  if (steps == 0) {
    notes[path] = "the data set has fewer rows than one batch";
    return epoch;
  }
  const Location mean_step = locate(means, stats::next_launch_interval);
  if (!mean_step.median) {
    notes[path] = "no step was measured";
    return epoch;
  }
  epoch.value = *mean_step.median * static_cast<double>(steps);
  epoch.ci95 = scaled(mean_step.ci95, static_cast<double>(steps));
  if (!epoch.ci95) notes[path + ".ci95"] = "the step's time has no interval";
  return epoch;
}

LaunchSamples select(const std::vector<const schema::Launch*>& good, Samples schema::Launch::* field) {
  LaunchSamples samples;
  for (const schema::Launch* launch : good) samples.push_back(launch->*field);
  return samples;
}

void set_times(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               schema::Metrics& metrics, Notes& notes) {
  const bool single_steps = std::all_of(
      good.begin(), good.end(), [](const schema::Launch* launch) { return launch->steps_per_sample == 1; });
  const std::string nothing = good.empty() ? "no launch succeeded" : "no step was measured";
  const std::string step_path = "metrics.step_seconds";
  const std::string latency_path = "metrics.latency_seconds";
  const LaunchSamples steps = select(good, &schema::Launch::samples_seconds);
  Samples event_steps;
  for (const schema::Launch* launch : good) {
    if (launch->event_steps_per_sample != 1) continue;
    const Samples& events = launch->event_samples_seconds;
    event_steps.insert(event_steps.end(), events.begin(), events.end());
  }
  metrics.step_seconds = time_metrics(steps, single_steps, event_steps, step_path, notes);
  if (metrics.step_seconds.count == 0) notes[step_path] = nothing;
  if (spec.mode != schema::Mode::infer) {
    notes[latency_path] =
        "only inference has a latency: in other modes nobody waits for the result of one step";
    return;
  }
  const LaunchSamples latencies =
      spec.device.asynchronous() ? select(good, &schema::Launch::latency_samples_seconds) : steps;
  metrics.latency_seconds =
      time_metrics(latencies, spec.device.asynchronous() || single_steps, {}, latency_path, notes);
  const bool counted = spec.epochs || spec.iterations;
  if (metrics.latency_seconds.count == 0)
    notes[latency_path] = counted && !good.empty() ? "--epochs and --iterations measure no latency" : nothing;
}

constexpr const char* kFlops = "metrics.flops_per_step";

// Steps that are padded to their longest text differ in their operations, and the report does not record
// which texts the timed steps had. So no count would fit the median step.
void set_counts(const schema::CaseSpec& spec, const std::optional<WorkCounts>& counts,
                schema::Metrics& metrics, Notes& notes) {
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
    notes[path] = spec.mode == schema::Mode::data
                      ? "only batches are prepared (--mode data): no network runs"
                      : "the network is a TorchScript file, whose work mpsbench cannot count";
  }
}

// BATCH: the time of as many rows as a whole batch has.
void set_rates(const schema::CaseSpec& spec, const Location& batch, schema::Metrics& metrics, Notes& notes) {
  if (!batch.median || *batch.median <= 0) {
    notes["metrics.rows_per_second"] = "no step was measured";
    notes["metrics.flops_per_second"] = "no step was measured";
    return;
  }
  const auto rows = static_cast<double>(spec.batch_size);
  metrics.rows_per_second.value = rows / *batch.median;
  if (batch.ci95 && batch.ci95->low > 0) {
    metrics.rows_per_second.ci95 = schema::Interval{rows / batch.ci95->high, rows / batch.ci95->low};
  } else {
    notes["metrics.rows_per_second.ci95"] = "the step's time has no interval";
  }
  if (metrics.flops_per_step) {
    metrics.flops_per_second = static_cast<double>(*metrics.flops_per_step) / *batch.median;
  } else {
    notes["metrics.flops_per_second"] = notes.at(kFlops);
  }
}

}  // namespace

MetricsAndNotes compute_metrics(const schema::CaseSpec& spec, const std::optional<WorkCounts>& counts,
                                std::span<const schema::Launch> launches, std::optional<double> flops_ceiling,
                                std::optional<double> price_dollars) {
  std::vector<const schema::Launch*> good;
  for (const schema::Launch& launch : launches) {
    if (launch.status == schema::Status::ok) good.push_back(&launch);
  }
  MetricsAndNotes result;
  schema::Metrics& metrics = result.metrics;
  set_counts(spec, counts, metrics, result.notes);
  set_times(spec, good, metrics, result.notes);
  const Means means = means_of(select(good, &schema::Launch::samples_seconds));
  set_rates(spec, locate(batch_means(spec, good, means), stats::launches_interval), metrics, result.notes);
  set_ceiling_share(spec, flops_ceiling, metrics, result.notes);
  metrics.epoch_seconds = epoch_metric(spec, good, means, result.notes);
  set_loop(spec, good, metrics, result.notes);
  set_value(price_dollars, metrics, result.notes);
  set_memory(spec, good, metrics, result.notes);
  result.notes["metrics.bytes_per_second"] = "memory traffic is not counted";
  set_data_wait(spec, good, metrics, result.notes);
  set_accuracy(good, metrics, result.notes);
  set_energy(spec, good, metrics, result.notes);
  return result;
}

}  // namespace mpsbench::report
