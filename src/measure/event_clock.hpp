// Marks in the device's own queue, whose distances the device itself times. An extra: the reference clock is
// Timer.
#pragma once

#include "base/interface.hpp"

#include <vector>

namespace mpsbench::measure {

class EventClock : public base::Interface {
 public:
  // Puts a mark behind everything queued so far.
  virtual void mark() = 0;

  // Seconds between neighbouring marks, in order; waits for them and forgets them.
  virtual std::vector<double> take_seconds() = 0;
};

}  // namespace mpsbench::measure
