// The reference clock: the host's steady clock, read after the device was synchronised.
#pragma once

#include "base/interface.hpp"
#include "measure/event_clock.hpp"

namespace mpsbench::measure {

class Timer : public base::Interface {
 public:
  // Returns the seconds from an arbitrary origin. The clock never runs backwards.
  virtual double now_seconds() = 0;

  // Waits until the device has finished everything in its queue.
  virtual void synchronize() = 0;

  // Whether a step may still be running after Step::run has returned.
  [[nodiscard]] virtual bool asynchronous() const = 0;

  // Returns null if the device has no events that can be trusted.
  [[nodiscard]] virtual EventClock* events() { return nullptr; }

  // Returns the time that one reading takes, or the clock's smallest tick if that is longer.
  [[nodiscard]] virtual double clock_cost_seconds() const = 0;
};

}  // namespace mpsbench::measure
