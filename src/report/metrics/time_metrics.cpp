#include "report/metrics/time_metrics.hpp"

#include "report/metrics/location.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <string>
#include <utility>

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
                                 const std::vector<double>& percentiles, const std::string& path,
                                 Notes& notes) {
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

}  // namespace

void set_times(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               const std::vector<double>& percentiles, schema::Metrics& metrics, Notes& notes) {
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
  metrics.step_seconds = time_metrics(steps, single_steps, event_steps, percentiles, step_path, notes);
  if (metrics.step_seconds.count == 0) notes[step_path] = nothing;
  if (spec.mode != schema::Mode::infer) {
    notes[latency_path] =
        "only inference has a latency: in other modes nobody waits for the result of one step";
    return;
  }
  const LaunchSamples latencies =
      spec.device.asynchronous() ? select(good, &schema::Launch::latency_samples_seconds) : steps;
  metrics.latency_seconds = time_metrics(latencies, spec.device.asynchronous() || single_steps, {},
                                         percentiles, latency_path, notes);
  const bool counted = spec.epochs || spec.iterations;
  if (metrics.latency_seconds.count == 0)
    notes[latency_path] = counted && !good.empty() ? "--epochs and --iterations measure no latency" : nothing;
}

}  // namespace mpsbench::report
