#include "report/metrics/step_metrics.hpp"

#include "report/metrics/ceilings.hpp"
#include "report/metrics/location.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mpsbench::report {

namespace {

// Percentiles of single steps. STEPS: nullptr if there are only windows of several steps.
class PercentileMaker {
 public:
  PercentileMaker(const Samples* steps, std::string path, Notes& notes)
      : steps_(steps), path_(std::move(path)), notes_(&notes) {}

  // KEY: of the note if there are too few steps.
  [[nodiscard]] std::optional<double> make(double percent, const std::string& key) const {
    const auto value = steps_ != nullptr ? stats::percentile(*steps_, percent) : std::nullopt;
    if (!value) (*notes_)[path_ + "." + key] = reason(percent);
    return value;
  }

 private:
  [[nodiscard]] std::string reason(double percent) const {
    if (steps_ == nullptr) return "samples are windows of several steps, which hide the slowest step";
    return "needs " + std::to_string(stats::samples_for_percentile(percent)) + " samples, has " +
           std::to_string(steps_->size());
  }

  const Samples* steps_;
  std::string path_;
  Notes* notes_;
};

// SINGLE_STEPS: each sample is one step, so percentiles of the samples are meaningful. Otherwise the
// percentiles come from EVENT_STEPS, single steps that the device's events timed, if there are any.
schema::TimeMetrics time_metrics(const LaunchSamples& launches, bool single_steps, const Samples& event_steps,
                                 const std::vector<double>& percentiles, const std::string& path, Notes& notes) {
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
  const PercentileMaker maker(single_steps || !steps.empty() ? &steps : nullptr, path, notes);
  metrics.p90 = maker.make(90, "p90");
  metrics.p99 = maker.make(99, "p99");
  for (const double percent : percentiles) {
    const std::string key = schema::percentile_key(percent);
    metrics.percentiles[key] = maker.make(percent, "percentiles." + key);
  }
  if (!metrics.ci95) notes[path + ".ci95"] = "one launch with too few samples has no interval";
  if (!metrics.stddev) notes[path + ".stddev"] = "needs 2 samples, has 1";
  return metrics;
}

// Returns why the parts of the steps are not known, or nullptr if the launches may know them.
const char* why_none(const schema::CaseSpec& spec) {
  if (!row_of(spec.mode).trains) return "only training has a backward pass and an update";
  if (row_of(spec.engine).captured) return "a step that is replayed as a whole cannot be divided";
  if (schema::as_published(spec.loop)) return "--as-published times only the loop";
  if (spec.pad == schema::Pad::longest)
    return "batches have different lengths (--pad longest), but the batch on the device has only one";
  return nullptr;
}

}  // namespace

void set_times(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               const std::vector<double>& percentiles, schema::Metrics& metrics, Notes& notes) {
  const bool single_steps =
      std::all_of(good.begin(), good.end(), [](const schema::Launch* launch) { return launch->steps_per_sample == 1; });
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
  metrics.step_seconds = time_metrics(steps, single_steps, event_steps, percentiles, step_path, notes);
  if (metrics.step_seconds.count == 0) notes[step_path] = nothing;
  if (!row_of(spec.mode).has_latency) {
    notes[latency_path] = "only inference has a latency: in other modes nobody waits for the result of one step";
    return;
  }
  const LaunchSamples latencies =
      spec.device.row().asynchronous ? select(good, &schema::Launch::latency_samples_seconds) : steps;
  metrics.latency_seconds =
      time_metrics(latencies, spec.device.row().asynchronous || single_steps, {}, percentiles, latency_path, notes);
  const bool counted = spec.epochs || spec.iterations;
  if (metrics.latency_seconds.count == 0)
    notes[latency_path] = counted && !good.empty() ? "--epochs and --iterations measure no latency" : nothing;
}

void set_least_traffic(const schema::CaseSpec& spec, double least_bytes, schema::Metrics& metrics, Notes& notes) {
  const std::string path = "metrics.bytes_per_second";
  if (!metrics.flops_per_step) {
    notes[path] = notes.at("metrics.flops_per_step");
  } else if (!(least_bytes > 0)) {
    notes[path] = "the least memory traffic of a step is not known";
  } else if (!metrics.rows_per_second.value) {
    notes[path] = "no step was measured";
  } else {
    metrics.bytes_per_second =
        least_bytes * *metrics.rows_per_second.value / static_cast<double>(schema::rows_per_step(spec));
  }
}

void set_ceiling_share(const schema::CaseSpec& spec, std::optional<double> flops_ceiling, schema::Metrics& metrics,
                       Notes& notes) {
  const std::string path = "metrics.ceiling_share";
  if (!metrics.flops_per_step) {
    notes[path] = notes.at("metrics.flops_per_step");
  } else if (!can_have_ceiling(spec)) {
    notes[path] = spec.ranks > 1 ? "the CPU's ceiling is measured by one process, but several share the CPU"
                                 : "the CPU's ceiling is measured on all CPUs, but --affinity left some out";
  } else if (!flops_ceiling) {
    notes[path] = "the ceiling of " + to_string(spec.precision) + " on " + to_string(spec.device) +
                  " is not known; run with --ceilings";
  } else if (!metrics.flops_per_second) {
    notes[path] = "no step was measured";
  } else {
    metrics.ceiling_share = *metrics.flops_per_second / *flops_ceiling;
  }
}

void set_value(std::optional<double> price_dollars, schema::Metrics& metrics, Notes& notes) {
  const std::string path = "metrics.rows_per_second_per_1000_dollars";
  constexpr double kThousand = 1000;
  if (!price_dollars) {
    notes[path] = "the machine's price was not given (--price)";
  } else if (!metrics.rows_per_second.value) {
    notes[path] = "no step was measured";
  } else {
    metrics.rows_per_second_per_1000_dollars = *metrics.rows_per_second.value / *price_dollars * kThousand;
  }
}

void set_parts(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
               Notes& notes) {
  const char* reason = why_none(spec);
  for (const auto& [path, metric, part] :
       {std::tuple{"metrics.forward_seconds", &schema::Metrics::forward_seconds, &schema::StepParts::forward_seconds},
        {"metrics.backward_seconds", &schema::Metrics::backward_seconds, &schema::StepParts::backward_seconds},
        {"metrics.update_seconds", &schema::Metrics::update_seconds, &schema::StepParts::update_seconds}}) {
    std::vector<double> seconds;
    for (const schema::Launch* launch : good) {
      if (reason == nullptr && launch->step_parts) seconds.push_back((*launch->step_parts).*part);
    }
    metrics.*metric = stats::median(seconds);
    if (!(metrics.*metric))
      notes[path] = reason != nullptr ? reason
                    : good.empty()    ? "no launch succeeded"
                                      : "no launch kept them: steps are too few or too long, the device has no "
                                        "events, or their times disagree";
  }
}

void set_data_wait(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                   schema::Metrics& metrics, Notes& notes) {
  const std::string path = "metrics.data_wait_share";
  if (!row_of(spec.mode).has_network) {
    notes[path] = "only batches are prepared (--mode data): no step waits for them";
    return;
  }
  if (spec.pad == schema::Pad::longest) {
    notes[path] = "batches have different lengths (--pad longest), but the batch on the device has only one";
    return;
  }
  std::vector<double> shares;
  for (const schema::Launch* launch : good) {
    const auto step = stats::median(launch->samples_seconds);
    if (!step || *step <= 0 || !launch->input_times) continue;
    const double saved = *step - launch->input_times->resident_step_seconds;
    const double most = 2 * launch->input_times->feed_seconds;
    shares.push_back(std::max(0.0, std::min(saved, most) / *step));
  }
  metrics.data_wait_share = stats::median(shares);
  if (metrics.data_wait_share) return;
  notes[path] = spec.input == schema::Input::device ? "the batch stays on the device: no step waits for data"
                : schema::as_published(spec.loop)
                    ? "--as-published does not measure steps whose batch is on the device already"
                    : "no step was measured";
}

void set_loop(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
              Notes& notes) {
  std::vector<double> seconds;
  for (const schema::Launch* launch : good) {
    if (launch->loop_seconds) seconds.push_back(*launch->loop_seconds);
  }
  metrics.loop_seconds = stats::median(seconds);
  if (metrics.loop_seconds) return;
  notes["metrics.loop_seconds"] = spec.iterations ? "no launch succeeded" : "a loop is timed only with --iterations";
}

}  // namespace mpsbench::report
