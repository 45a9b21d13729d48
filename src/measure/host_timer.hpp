// The timer of synchronous devices: the host's steady clock. There is nothing to wait for.
#pragma once

#include "measure/timer.hpp"

namespace mpsbench::measure {

class HostTimer final : public Timer {
 public:
  // Measures the clock's own cost, which takes some microseconds.
  HostTimer();

  double now_seconds() override;
  void synchronize() override {}
  [[nodiscard]] bool asynchronous() const override { return false; }
  [[nodiscard]] double clock_cost_seconds() const override { return clock_cost_seconds_; }

 private:
  double clock_cost_seconds_ = 0;
};

// Returns the time that one reading of the steady clock takes, or its smallest tick if that is longer.
[[nodiscard]] double measure_clock_cost_seconds();

}  // namespace mpsbench::measure
