#include "report/metrics/epoch_metrics.hpp"

#include <algorithm>
#include <string>

namespace mpsbench::report {
namespace {

// Returns TIME multiplied by FACTOR.
std::optional<schema::Interval> scaled(const std::optional<schema::Interval>& time, double factor) {
  if (!time) return std::nullopt;
  return schema::Interval{time->low * factor, time->high * factor};
}

// Returns the seconds of the epochs of each launch that measured any. Empty if max_batches cut an epoch
// short.
LaunchSamples whole_epochs(const std::vector<const schema::Launch*>& good, std::int64_t steps) {
  LaunchSamples seconds;
  for (const schema::Launch* launch : good) {
    if (launch->epochs.empty()) continue;  // it was cut short in its first epoch
    Samples& samples = seconds.emplace_back();
    for (const schema::EpochRecord& epoch : launch->epochs) {
      if (epoch.steps != steps) return {};
      samples.push_back(epoch.seconds);
    }
  }
  return seconds;
}

// The interval predicts the next epoch, which will be in one more launch.
schema::EpochMetric epoch_metric(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                                 const Means& means, const schema::TimeMetrics& step, Notes& notes) {
  const std::string path = "metrics.epoch_seconds";
  const std::int64_t steps = schema::steps_per_epoch(spec);
  schema::EpochMetric epoch{std::nullopt, std::nullopt, "projected"};
  const LaunchSamples seconds = spec.epochs && steps > 0 ? whole_epochs(good, steps) : LaunchSamples{};
  if (!seconds.empty()) {
    const Location location = locate(means_of(seconds), stats::next_launch_interval);
    epoch = {location.median, location.ci95, "measured"};
    if (!epoch.ci95) notes[path + ".ci95"] = "one launch with too few epochs has no interval";
    return epoch;
  }
  if (steps == 0) {
    notes[path] = "the data set has fewer rows than one batch";
    return epoch;
  }
  if (!step.mean) {
    notes[path] = "no step was measured";
    return epoch;
  }
  epoch.value = *step.mean * static_cast<double>(steps);
  epoch.ci95 = scaled(locate(means, stats::next_launch_interval).ci95, static_cast<double>(steps));
  if (epoch.ci95) {
    epoch.ci95->low = std::min(epoch.ci95->low, *epoch.value);
    epoch.ci95->high = std::max(epoch.ci95->high, *epoch.value);
  }
  if (!epoch.ci95) notes[path + ".ci95"] = "the step's time has no interval";
  return epoch;
}

}  // namespace

void set_epochs(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                const Means& means, std::optional<std::int64_t> projected, schema::Metrics& metrics,
                Notes& notes) {
  metrics.epoch_seconds = epoch_metric(spec, good, means, metrics.step_seconds, notes);
  const std::string path = "metrics.projected_epochs_seconds";
  const schema::EpochMetric& epoch = metrics.epoch_seconds;
  if (!projected) {
    notes[path] = "asked for with --epochs-projected";
  } else if (spec.mode != schema::Mode::train) {
    notes[path] = "only training has epochs to project";
  } else if (!epoch.value) {
    notes[path] = notes.at("metrics.epoch_seconds");
  } else {
    const auto epochs = static_cast<double>(*projected);
    metrics.projected_epochs_seconds = {*epoch.value * epochs, scaled(epoch.ci95, epochs)};
    if (!epoch.ci95) notes[path + ".ci95"] = "the epoch's time has no interval";
  }
}

}  // namespace mpsbench::report
