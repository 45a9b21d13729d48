#include "report/metrics/metric_parts.hpp"

#include <algorithm>
#include <tuple>

namespace mpsbench::report {

namespace {

using schema::DataPart;
using schema::Metrics;

constexpr auto kEpoch = &Metrics::epoch_seconds;

// Returns the seconds of the epochs of each launch that measured any. Empty if max_batches cut an epoch short.
LaunchSamples whole_epochs(const Launches& good, std::int64_t steps) {
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
void set_epoch(CaseFigures& figures) {
  const std::int64_t steps = schema::steps_per_epoch(figures.spec);
  const LaunchSamples seconds = figures.spec.epochs && steps > 0 ? whole_epochs(figures.good, steps) : LaunchSamples{};
  schema::EpochMetric& epoch = figures.metrics.epoch_seconds;
  if (!seconds.empty()) {
    const Location location = locate(means_of(seconds), stats::next_launch_interval);
    epoch = {location.median, location.ci95, "measured"};
    if (!epoch.ci95) figures.note(kEpoch, "one launch with too few epochs has no interval", "ci95");
    return;
  }
  epoch.kind = "projected";
  if (row_of(figures.spec.mode).generates) return figures.note(kEpoch, kOnlyTokens);
  if (steps == 0) return figures.note(kEpoch, "the data set has fewer rows than one batch");
  const std::optional<double>& step = figures.metrics.step_seconds.mean;
  if (!step) return figures.note(kEpoch, kNoStep);
  const auto factor = static_cast<double>(steps);
  epoch.value = *step * factor;
  const auto ci95 = locate(figures.means, stats::next_launch_interval).ci95;
  if (!ci95) return figures.note(kEpoch, "the step's time has no interval", "ci95");
  epoch.ci95 = containing(*epoch.value, ci95->low * factor, ci95->high * factor);
}

}  // namespace

void set_epochs(CaseFigures& figures) {
  constexpr auto kMetric = &Metrics::projected_epochs_seconds;
  set_epoch(figures);
  const schema::EpochMetric& epoch = figures.metrics.epoch_seconds;
  if (!figures.run.epochs_projected) return figures.note(kMetric, "asked for with --epochs-projected");
  if (!row_of(figures.spec.mode).trains) return figures.note(kMetric, "only training has epochs to project");
  if (!epoch.value) return figures.note(kMetric, figures.reason_of(kEpoch));
  const auto epochs = static_cast<double>(*figures.run.epochs_projected);
  schema::ValueMetric& projected = figures.metrics.*kMetric;
  projected.value = *epoch.value * epochs;
  if (!epoch.ci95) return figures.note(kMetric, "the epoch's time has no interval", "ci95");
  projected.ci95 = schema::Interval{epoch.ci95->low * epochs, epoch.ci95->high * epochs};
}

void set_accuracy(CaseFigures& figures) {
  for (const auto& [metric, part] : {std::tuple{&Metrics::training_accuracy, DataPart::train},
                                     {&Metrics::validation_accuracy, DataPart::validation},
                                     {&Metrics::test_accuracy, DataPart::test}}) {
    const auto share_of = [&wanted = part](const schema::Launch& launch) -> std::optional<double> {
      const auto last = std::find_if(launch.evaluations.rbegin(), launch.evaluations.rend(),
                                     [&](const schema::Evaluation& one) { return one.part == wanted && one.rows > 0; });
      if (last == launch.evaluations.rend()) return std::nullopt;
      return static_cast<double>(last->correct) / static_cast<double>(last->rows);
    };
    figures.set(metric, median_over(figures.whole, share_of),
                "only training on a data set with --epochs measures accuracy");
  }
}

void set_training_times(CaseFigures& figures) {
  const char* why_none = figures.whole.empty() ? kNoLaunch
                                               : "only training on a data set with --epochs and without "
                                                 "--max-batches evaluates what it taught";
  for (const auto& [metric, trains, tests] : {std::tuple{&Metrics::training_seconds, true, false},
                                              {&Metrics::test_seconds, false, true},
                                              {&Metrics::total_seconds, true, true}}) {
    const auto seconds_of = [with_training = trains, with_test = tests](const schema::Launch& launch) {
      double training = 0;
      double test = 0;
      for (const schema::EpochRecord& epoch : launch.epochs) training += epoch.seconds;
      for (const schema::Evaluation& one : launch.evaluations)
        (one.part == DataPart::test ? test : training) += one.seconds;
      const bool is_known = !launch.epochs.empty() && !launch.evaluations.empty();
      return is_known ? std::optional((with_training ? training : 0) + (with_test ? test : 0)) : std::nullopt;
    };
    figures.set(metric, median_over(figures.whole, seconds_of), why_none);
  }
}

}  // namespace mpsbench::report
