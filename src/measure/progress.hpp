// Tells the observer how the samples come along, at most twice a second.
#pragma once

#include "measure/observer.hpp"

#include <optional>
#include <span>

namespace mpsbench::measure {

class Progress {
 public:
  static constexpr double kPauseSeconds = 0.5;

  explicit Progress(Observer& observer) : observer_(observer) {}

  // Between windows; NOW_SECONDS on the timer's clock.
  void report(std::span<const double> samples, std::optional<double> loss, double now_seconds);

 private:
  Observer& observer_;
  std::optional<double> last_seconds_;
};

}  // namespace mpsbench::measure
