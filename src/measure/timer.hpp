// The clocks of a measurement: the reference clock, and marks in the device's queue.
#pragma once

#include "base/interface.hpp"

#include <vector>

namespace mpsbench::measure {

// Marks in the device's queue. The device itself measures the time between them. This is only an extra: the
// reference clock is Timer.
class EventClock : public base::Interface {
 public:
  // Adds a mark after everything queued so far.
  virtual void mark() = 0;

  // Waits for all marks, returns the seconds between neighbouring ones in order, and removes the marks.
  virtual std::vector<double> take_seconds() = 0;
};

// The reference clock: the host's steady clock, read after the device was synchronised.
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

// The timer of synchronous devices: the host's steady clock. There is nothing to wait for.
class HostTimer : public Timer {
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
