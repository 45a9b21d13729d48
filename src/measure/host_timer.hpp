// The timer of synchronous devices: the host's steady clock and nothing to wait for.
#pragma once

#include "measure/timer.hpp"

namespace mpsbench::measure {

class HostTimer final : public Timer {
 public:
  // Measures the clock's own cost (some microseconds).
  HostTimer();

  double now_seconds() override;
  void synchronize() override {}
  [[nodiscard]] bool asynchronous() const override { return false; }
  [[nodiscard]] double clock_cost_seconds() const override { return clock_cost_seconds_; }

 private:
  double clock_cost_seconds_ = 0;
};

// Of the steady clock: the longer of what a reading takes and the smallest step between two readings.
[[nodiscard]] double measure_clock_cost_seconds();

}  // namespace mpsbench::measure
