// Tells the observer how the samples come along, at most twice a second.
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

  // Between windows; NOW_SECONDS on the timer's clock.
  void report(std::span<const double> samples, std::optional<double> loss, double now_seconds);

  // Inside a timed epoch: costs no statistics, and STEP's loss only when it is time. STEP_SECONDS so far in
  // it, after SAMPLES windows.
  void report_mean(std::size_t samples, double step_seconds, Step& step, double now_seconds);

 private:
  [[nodiscard]] bool is_due(double now_seconds);

  Observer& observer_;
  std::optional<double> last_seconds_;
};

}  // namespace mpsbench::measure
