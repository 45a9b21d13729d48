#include "report/metrics/epoch_metrics.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

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

// Returns the median over the GOOD launches of the share of PART's rows that was right after the last epoch.
std::optional<double> accuracy(const std::vector<const schema::Launch*>& good, schema::DataPart part) {
  std::vector<double> shares;
  for (const schema::Launch* launch : good) {
    const auto last = std::find_if(launch->evaluations.rbegin(), launch->evaluations.rend(),
                                   [part](const schema::Evaluation& one) { return one.part == part && one.rows > 0; });
    if (last == launch->evaluations.rend()) continue;
    shares.push_back(static_cast<double>(last->correct) / static_cast<double>(last->rows));
  }
  return stats::median(shares);
}

}  // namespace

void set_epochs(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, const Means& means,
                std::optional<std::int64_t> projected, schema::Metrics& metrics, Notes& notes) {
  metrics.epoch_seconds = epoch_metric(spec, good, means, metrics.step_seconds, notes);
  const std::string path = "metrics.projected_epochs_seconds";
  const schema::EpochMetric& epoch = metrics.epoch_seconds;
  if (!projected) {
    notes[path] = "asked for with --epochs-projected";
  } else if (!row_of(spec.mode).trains) {
    notes[path] = "only training has epochs to project";
  } else if (!epoch.value) {
    notes[path] = notes.at("metrics.epoch_seconds");
  } else {
    const auto epochs = static_cast<double>(*projected);
    metrics.projected_epochs_seconds = {*epoch.value * epochs, scaled(epoch.ci95, epochs)};
    if (!epoch.ci95) notes[path + ".ci95"] = "the epoch's time has no interval";
  }
}

void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes) {
  for (const auto& [path, metric, part] :
       {std::tuple{"metrics.training_accuracy", &schema::Metrics::training_accuracy, schema::DataPart::train},
        {"metrics.validation_accuracy", &schema::Metrics::validation_accuracy, schema::DataPart::validation},
        {"metrics.test_accuracy", &schema::Metrics::test_accuracy, schema::DataPart::test}}) {
    metrics.*metric = accuracy(good, part);
    if (!(metrics.*metric)) notes[path] = "only training on a data set with --epochs measures accuracy";
  }
}

void set_training_times(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes) {
  std::vector<double> training;
  std::vector<double> test;
  std::vector<double> total;
  for (const schema::Launch* launch : good) {
    if (launch->epochs.empty() || launch->evaluations.empty()) continue;
    double training_seconds = 0;
    double test_seconds = 0;
    for (const schema::EpochRecord& epoch : launch->epochs) training_seconds += epoch.seconds;
    for (const schema::Evaluation& one : launch->evaluations)
      (one.part == schema::DataPart::test ? test_seconds : training_seconds) += one.seconds;
    training.push_back(training_seconds);
    test.push_back(test_seconds);
    total.push_back(training_seconds + test_seconds);
  }
  metrics.training_seconds = stats::median(training);
  metrics.test_seconds = stats::median(test);
  metrics.total_seconds = stats::median(total);
  if (metrics.training_seconds) return;
  for (const char* path : {"metrics.training_seconds", "metrics.test_seconds", "metrics.total_seconds"})
    notes[path] = good.empty() ? "no launch succeeded"
                               : "only training on a data set with --epochs and without --max-batches evaluates "
                                 "what it taught";
}

}  // namespace mpsbench::report
