// Marks in the device's own queue, whose distances the device itself times. An extra: the reference clock is
// Timer.
#pragma once

#include <vector>

namespace mpsbench::measure {

class EventClock {
 public:
  EventClock() = default;
  EventClock(const EventClock&) = delete;
  EventClock& operator=(const EventClock&) = delete;
  virtual ~EventClock() = default;

  // Puts a mark behind everything queued so far.
  virtual void mark() = 0;

  // Seconds between neighbouring marks, in order; waits for them and forgets them.
  virtual std::vector<double> take_seconds() = 0;
};

}  // namespace mpsbench::measure
