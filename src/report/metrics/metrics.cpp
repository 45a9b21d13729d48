#include "report/metrics/metrics.hpp"

#include "model/memory.hpp"
#include "model/quantization.hpp"
#include "report/metrics/ceilings.hpp"
#include "report/metrics/counted_launches.hpp"
#include "report/metrics/metric_parts.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace mpsbench::report {
namespace {

using schema::Metrics;

std::string path_of(const Metric& metric, const std::string& part) {
  const auto* field = std::ranges::find(schema::kMetricFields, metric, &schema::MetricField::member);
  return std::string("metrics.") + field->key + (part.empty() ? "" : "." + part);
}

// Steps that are padded to their longest text differ in their operations, and the report does not record the
// length of each timed step. So no count would fit the median step.
void set_counts(CaseFigures& figures, const std::optional<schema::NetworkPlan>& plan) {
  const std::string why_none = row_of(figures.spec.mode).has_network
                                   ? "mpsbench cannot count the work of a model file or of another program's loop"
                                   : "only batches are prepared (--mode data): no network runs";
  std::optional<std::int64_t> parameters, trainable, weight_bytes, cache_bytes, flops;
  if (plan) {
    weight_bytes = std::llround(model::weight_bytes(*plan, row_of(figures.spec.precision)));
    if (plan->cache) cache_bytes = std::llround(model::cache_bytes(*plan->cache, figures.spec));
    parameters = plan->parameters;
    trainable = plan->trainable_parameters;
    if (figures.spec.pad != schema::Pad::longest)
      flops = figures.spec.ranks * schema::flops_per_step(*plan, figures.spec.mode);
  }
  figures.set(&Metrics::parameters, parameters, why_none);
  figures.set(&Metrics::trainable_parameters, trainable, why_none);
  figures.set(&Metrics::weight_bytes, weight_bytes, why_none);
  figures.set(&Metrics::kv_cache_bytes, cache_bytes, kOnlyGeneration);
  std::optional<double> quantization_error;
  for (const schema::Launch* launch : figures.good) {
    if (launch->quantization_error) quantization_error = launch->quantization_error;
  }
  figures.set(&Metrics::quantization_error, quantization_error,
              row_of(figures.spec.precision).weight_bits == 0
                  ? "only int8 and int4 quantize weights"
                  : "only the first case of a network, precision and device compares its output");
  figures.set(&Metrics::flops_per_step, flops,
              plan ? "batches have different lengths (--pad longest), so steps differ in their operations" : why_none);
}

// Returns the time of as many rows as a step has.
Location batch_time(const CaseFigures& figures) {
  const Metrics& metrics = figures.metrics;
  if (metrics.rows_per_second.kind == schema::kOfMedianStep)
    return {metrics.step_seconds.median, metrics.step_seconds.ci95};
  Means means{{}, figures.means.half_widths};
  for (const schema::Launch* launch : figures.good) {
    if (const auto rate = rows_per_second(figures.spec, *launch))
      means.values.push_back(static_cast<double>(schema::rows_per_step(figures.spec)) / *rate);
  }
  return locate(means, stats::launches_interval);
}

std::optional<schema::Interval> rate_interval(double amount, const std::optional<schema::Interval>& seconds) {
  if (!seconds || seconds->low <= 0) return std::nullopt;
  return schema::Interval{amount / seconds->high, amount / seconds->low};
}

// Sets METRIC to AMOUNT in each of the SECONDS.
void set_rate(CaseFigures& figures, schema::ValueMetric Metrics::* metric, double amount, const Location& seconds) {
  if (!seconds.median || *seconds.median <= 0) return figures.note(metric, kNoStep);
  schema::ValueMetric& rate = figures.metrics.*metric;
  rate.value = amount / *seconds.median;
  rate.ci95 = rate_interval(amount, seconds.ci95);
  if (!rate.ci95) figures.note(metric, "the time has no interval", "ci95");
}

void set_rows_per_second(CaseFigures& figures, const Location& batch) {
  Metrics& metrics = figures.metrics;
  if (row_of(figures.spec.mode).generates || !batch.median || *batch.median <= 0) {
    const char* why = row_of(figures.spec.mode).generates ? kOnlyTokens : kNoStep;
    figures.note(&Metrics::rows_per_second, why);
    return figures.note(&Metrics::mean_rows_per_second, why);
  }
  schema::RateMetric& rate = metrics.rows_per_second;
  const auto rows = static_cast<double>(schema::rows_per_step(figures.spec));
  rate.value = rows / *batch.median;
  rate.ci95 = rate_interval(rows, batch.ci95);
  if (!rate.ci95) figures.note(&Metrics::rows_per_second, "the step's time has no interval", "ci95");
  metrics.mean_rows_per_second =
      rate.kind == schema::kOfMedianStep ? rows / metrics.step_seconds.mean.value() : rate.value;
}

// Call this after the times are set.
void set_rates(CaseFigures& figures) {
  const schema::CaseSpec& spec = figures.spec;
  Metrics& metrics = figures.metrics;
  metrics.rows_per_second.kind = rate_kind(spec, figures.good);
  const Location batch = batch_time(figures);
  set_rows_per_second(figures, batch);
  const auto rows = static_cast<double>(schema::rows_per_step(spec));
  if (const auto tokens = schema::tokens_per_row(spec)) {
    set_rate(figures, &Metrics::tokens_per_second, rows * static_cast<double>(*tokens), batch);
  } else {
    figures.note(&Metrics::tokens_per_second, kNoTokens);
  }
  if (spec.prompt) {
    const schema::TimeMetrics& first = metrics.first_token_seconds;
    set_rate(figures, &Metrics::prefill_tokens_per_second, rows * static_cast<double>(*spec.prompt),
             {first.median, first.ci95});
  } else {
    figures.note(&Metrics::prefill_tokens_per_second, kOnlyGeneration);
  }
  if (!batch.median || *batch.median <= 0) return figures.note(&Metrics::flops_per_second, kNoStep);
  if (!metrics.flops_per_step)
    return figures.note(&Metrics::flops_per_second, figures.reason_of(&Metrics::flops_per_step));
  metrics.flops_per_second = static_cast<double>(*metrics.flops_per_step) / *batch.median;
}

// Call this and the following ones after the rates and counts are set.
void set_least_traffic(CaseFigures& figures, const std::optional<schema::NetworkPlan>& plan) {
  constexpr auto kMetric = &Metrics::bytes_per_second;
  const std::optional<double> rate = speed_of(figures.spec, figures.metrics).value;
  if (!figures.metrics.flops_per_step) return figures.note(kMetric, figures.reason_of(&Metrics::flops_per_step));
  if (!rate) return figures.note(kMetric, kNoStep);
  const double bytes = static_cast<double>(figures.spec.ranks) * least_step_bytes(plan.value(), figures.spec);
  figures.metrics.*kMetric = bytes * *rate / static_cast<double>(schema::rows_per_step(figures.spec));
}

void set_ceiling_share(CaseFigures& figures, std::optional<double> ceiling) {
  constexpr auto kMetric = &Metrics::ceiling_share;
  const schema::CaseSpec& spec = figures.spec;
  if (!figures.metrics.flops_per_step) return figures.note(kMetric, figures.reason_of(&Metrics::flops_per_step));
  if (!can_have_ceiling(spec))
    return figures.note(kMetric, spec.ranks > 1
                                     ? "the CPU's ceiling is measured by one process, but several share the CPU"
                                     : "the CPU's ceiling is measured on all CPUs, but --affinity left some out");
  if (!ceiling)
    return figures.note(kMetric, "the ceiling of " + to_string(spec.precision) + " on " + to_string(spec.device) +
                                     " is not known; run with --ceilings");
  const Metrics& metrics = figures.metrics;
  const auto& rate = row_of(spec.mode).generates ? metrics.bytes_per_second : metrics.flops_per_second;
  if (!rate) return figures.note(kMetric, kNoStep);
  figures.metrics.*kMetric = *rate / *ceiling;
}

void set_value(CaseFigures& figures) {
  constexpr auto kMetric = &Metrics::rows_per_second_per_1000_dollars;
  constexpr double kThousand = 1000;
  const std::optional<double>& rate = figures.metrics.rows_per_second.value;
  if (!figures.run.price_dollars) return figures.note(kMetric, "the machine's price was not given (--price)");
  if (!rate) return figures.note(kMetric, figures.reason_of(&Metrics::rows_per_second));
  figures.metrics.*kMetric = *rate / *figures.run.price_dollars * kThousand;
}

}  // namespace

LaunchSamples select(const Launches& launches, Samples schema::Launch::* field) {
  LaunchSamples samples;
  for (const schema::Launch* launch : launches) samples.push_back(launch->*field);
  return samples;
}

Means means_of(const LaunchSamples& launches) {
  Means means;
  for (const Samples& samples : launches) {
    if (const auto mean = stats::mean(samples)) means.values.push_back(*mean);
    if (const auto half_width = stats::mean_half_width(samples)) means.half_widths.push_back(*half_width);
  }
  return means;
}

schema::Interval containing(double value, double low, double high) {
  return {std::min(low, value), std::max(high, value)};
}

Location locate(const LaunchSamples& launches) {
  Samples medians;
  std::vector<stats::MedianInterval> intervals;
  for (const Samples& samples : launches) {
    if (const auto median = stats::median(samples)) medians.push_back(*median);
    if (const auto interval = stats::median_interval(samples)) intervals.push_back(*interval);
  }
  return locate(medians, intervals);
}

Location locate(const Samples& medians, const std::vector<stats::MedianInterval>& intervals) {
  if (medians.size() != 1) {
    Samples half_widths;
    for (const stats::MedianInterval& interval : intervals) half_widths.push_back(interval.half_width());
    return locate(Means{medians, half_widths}, stats::launches_interval);
  }
  Location location{medians.front(), std::nullopt};
  if (!intervals.empty()) location.ci95 = containing(medians.front(), intervals.front().low, intervals.front().high);
  return location;
}

Location locate(const Means& means, decltype(stats::launches_interval)& interval_of) {
  Location location{stats::median(means.values), std::nullopt};
  if (!location.median) return location;
  if (const auto interval = interval_of(means.values, means.half_widths))
    location.ci95 = containing(*location.median, interval->low, interval->high);
  return location;
}

bool is_alike(double a, double b) {
  constexpr double kRounding = 1e-6;
  return a == b || std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

schema::ValueMetric speed_of(const schema::CaseSpec& spec, const schema::Metrics& metrics) {
  if (row_of(spec.mode).generates) return metrics.tokens_per_second;
  return {metrics.rows_per_second.value, metrics.rows_per_second.ci95};
}

void MetricsAndNotes::note(const Metric& metric, const std::string& reason, const std::string& part) {
  notes[path_of(metric, part)] = reason;
}

const std::string& MetricsAndNotes::reason_of(const Metric& metric) const {
  return notes.at(path_of(metric, ""));
}

MetricsAndNotes compute_metrics(const schema::CaseSpec& spec, const std::optional<schema::NetworkPlan>& plan,
                                std::span<const schema::Launch> launches, std::optional<double> ceiling,
                                const schema::RunInfo& run, std::optional<double> bus_ceiling) {
  CaseFigures figures(spec, run, counted_launches(launches));
  std::ranges::copy_if(figures.good, std::back_inserter(figures.whole),
                       [](const schema::Launch* launch) { return launch->status == schema::Status::ok; });
  figures.means = means_of(select(figures.good, &schema::Launch::samples_seconds));
  set_counts(figures, plan);
  set_times(figures);
  figures.set(&Metrics::drift_ratio,
              median_over(figures.good, [](const auto& launch) { return stats::drift_ratio(launch.samples_seconds); }),
              "needs a launch with " + std::to_string(stats::kSamplesForDriftRatio) + " samples");
  set_rates(figures);
  set_least_traffic(figures, plan);
  set_ceiling_share(figures, ceiling);
  set_value(figures);
  set_epochs(figures);
  figures.set(&Metrics::loop_seconds,
              median_over(figures.whole, [](const schema::Launch& launch) { return launch.loop_seconds; }),
              spec.iterations ? kNoLaunch : "a loop is timed only with --iterations");
  set_memory(figures);
  set_data_wait(figures);
  set_parts(figures);
  set_communication(figures);
  set_communication_share(figures, bus_ceiling);
  set_accuracy(figures);
  set_training_times(figures);
  set_energy(figures);
  set_energy_per_token(figures);
  return MetricsAndNotes(std::move(figures));
}

}  // namespace mpsbench::report
