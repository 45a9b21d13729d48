// Reports the samples' progress to the observer, at most twice a second.
#pragma once

#include "measure/observer.hpp"
#include "measure/step.hpp"

#include <optional>
#include <span>

namespace mpsbench::measure {

class ProgressReporter {
 public:
  static constexpr double kPauseSeconds = 0.5;

  explicit ProgressReporter(Observer& observer) : observer_(observer) {}

  // Call this between windows. NOW_SECONDS is on the timer's clock.
  void report(std::span<const double> samples, std::optional<double> loss, double now_seconds);

  // The same inside a timed epoch, but cheaper: computes no statistics, and reads STEP's loss only if a
  // report is due. STEP_SECONDS is the mean so far in the epoch, after SAMPLES windows.
  void report_mean(std::size_t samples, double step_seconds, Step& step, double now_seconds);

  // The same in the warm-up, which has no samples yet.
  void report_warmup(double now_seconds);

 private:
  [[nodiscard]] static bool is_due(double now_seconds, std::optional<double>& last_seconds);

  Observer& observer_;
  std::optional<double> last_seconds_;
  std::optional<double> last_warmup_seconds_;
};

}  // namespace mpsbench::measure
