#include "report/metrics/metric_parts.hpp"

#include <algorithm>
#include <tuple>

namespace mpsbench::report {

namespace {

using schema::Metrics;

constexpr const char* kOtherLengths =
    "batches have different lengths (--pad longest), but the batch on the device has only one";

// SINGLE_STEPS: each sample is one step, so percentiles of the samples are meaningful. Otherwise the
// percentiles come from EVENT_STEPS, single steps that the device's events timed, if there are any.
void set_time(CaseFigures& figures, schema::TimeMetrics Metrics::* metric, const LaunchSamples& launches,
              bool single_steps, const Samples& event_steps, const std::string& why_none) {
  Samples pooled;
  for (const Samples& samples : launches) pooled.insert(pooled.end(), samples.begin(), samples.end());
  if (pooled.empty()) return figures.note(metric, why_none);
  schema::TimeMetrics& time = figures.metrics.*metric;
  const Location location = locate(launches);
  time.median = location.median;
  time.ci95 = location.ci95;
  time.mean = stats::mean(pooled);
  time.stddev = stats::stddev(pooled);
  time.min = stats::minimum(pooled);
  time.max = stats::maximum(pooled);
  time.count = std::ssize(pooled);
  const Samples& steps = single_steps ? pooled : event_steps;
  const auto percentile = [&](double percent, const std::string& part) {
    const auto value = stats::percentile(steps, percent);
    if (!value)
      figures.note(metric,
                   steps.empty() ? "samples are windows of several steps, which hide the slowest step"
                                 : "needs " + std::to_string(stats::samples_for_percentile(percent)) +
                                       " samples, has " + std::to_string(steps.size()),
                   part);
    return value;
  };
  time.p90 = percentile(90, "p90");
  time.p99 = percentile(99, "p99");
  for (const double percent : figures.run.percentiles) {
    const std::string key = base::number_text(percent);
    time.percentiles[key] = percentile(percent, "percentiles." + key);
  }
  if (!time.ci95) figures.note(metric, "one launch with too few samples has no interval", "ci95");
  if (!time.stddev) figures.note(metric, "needs 2 samples, has 1", "stddev");
}

// Returns why the parts of the steps are not known, or nullptr if the launches may know them.
const char* why_no_parts(const schema::CaseSpec& spec) {
  if (!row_of(spec.mode).trains) return "only training has a backward pass and an update";
  if (row_of(spec.engine).captured) return "a step that is replayed as a whole cannot be divided";
  if (spec.as_published) return "--as-published times only the loop";
  return spec.pad == schema::Pad::longest ? kOtherLengths : nullptr;
}

}  // namespace

void set_times(CaseFigures& figures) {
  const schema::CaseSpec& spec = figures.spec;
  const bool single_steps =
      std::ranges::all_of(figures.good, [](const schema::Launch* launch) { return launch->steps_per_sample == 1; });
  const char* nothing = figures.good.empty() ? kNoLaunch : kNoStep;
  const LaunchSamples steps = select(figures.good, &schema::Launch::samples_seconds);
  Samples event_steps;
  for (const schema::Launch* launch : figures.good) {
    if (launch->event_steps_per_sample != 1) continue;
    const Samples& events = launch->event_samples_seconds;
    event_steps.insert(event_steps.end(), events.begin(), events.end());
  }
  set_time(figures, &Metrics::step_seconds, steps, single_steps, event_steps, nothing);
  if (row_of(spec.mode).generates) {
    set_time(figures, &Metrics::first_token_seconds, select(figures.good, &schema::Launch::prefill_samples_seconds),
             /*single_steps=*/true, {}, nothing);
  } else {
    figures.note(&Metrics::first_token_seconds, kOnlyGeneration);
  }
  if (!row_of(spec.mode).has_latency)
    return figures.note(&Metrics::latency_seconds,
                        "in this mode nobody waits for the result of one step, so it has no latency");
  const bool has_own = has_own_latencies(spec);
  const bool is_counted = (spec.epochs || spec.iterations) && !figures.good.empty();
  set_time(figures, &Metrics::latency_seconds,
           has_own ? select(figures.good, &schema::Launch::latency_samples_seconds) : steps, has_own || single_steps,
           {}, is_counted ? "--epochs and --iterations measure no latency" : nothing);
}

void set_parts(CaseFigures& figures) {
  const char* why_none = why_no_parts(figures.spec);
  const Launches known = why_none != nullptr ? Launches{} : figures.good;
  if (why_none == nullptr)
    why_none = figures.good.empty() ? kNoLaunch
                                    : "no launch kept them: steps are too few or too long, the device has no "
                                      "events, or their times disagree";
  for (const auto& [metric, part] : {std::tuple{&Metrics::forward_seconds, &schema::StepParts::forward_seconds},
                                     {&Metrics::backward_seconds, &schema::StepParts::backward_seconds},
                                     {&Metrics::update_seconds, &schema::StepParts::update_seconds}}) {
    const auto seconds = median_over(known, [wanted = part](const schema::Launch& launch) {
      return launch.step_parts ? std::optional((*launch.step_parts).*wanted) : std::nullopt;
    });
    figures.set(metric, seconds, why_none);
  }
}

void set_data_wait(CaseFigures& figures) {
  constexpr auto kMetric = &Metrics::data_wait_share;
  const schema::CaseSpec& spec = figures.spec;
  if (!row_of(spec.mode).has_network)
    return figures.note(kMetric, "only batches are prepared (--mode data): no step waits for them");
  if (spec.pad == schema::Pad::longest) return figures.note(kMetric, kOtherLengths);
  const auto share_of = [](const schema::Launch& launch) -> std::optional<double> {
    const auto step = stats::median(launch.samples_seconds);
    if (!step || *step <= 0 || !launch.input_times) return std::nullopt;
    const double saved = *step - launch.input_times->resident_step_seconds;
    return std::max(0.0, std::min(saved, 2 * launch.input_times->feed_seconds) / *step);
  };
  figures.set(kMetric, median_over(figures.good, share_of),
              spec.input == schema::Input::device ? "the batch stays on the device: no step waits for data"
              : spec.as_published ? "--as-published does not measure steps whose batch is on the device already"
                                  : kNoStep);
}

}  // namespace mpsbench::report
