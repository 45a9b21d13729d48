// The reference clock: the host's steady clock, read around a synchronise of the device.
#pragma once

#include "base/interface.hpp"
#include "measure/event_clock.hpp"

namespace mpsbench::measure {

class Timer : public base::Interface {
 public:
  // Seconds from an arbitrary origin; never runs backwards.
  virtual double now_seconds() = 0;

  // Returns when everything queued on the device is done.
  virtual void synchronize() = 0;

  // True when a step may still run after Step::run has returned.
  [[nodiscard]] virtual bool asynchronous() const = 0;

  // Null where the device has no events that can be trusted.
  [[nodiscard]] virtual EventClock* events() { return nullptr; }

  // Cost of one reading, or the clock's smallest tick when that is longer.
  [[nodiscard]] virtual double clock_cost_seconds() const = 0;
};

}  // namespace mpsbench::measure
