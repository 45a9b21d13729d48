// Marks in the device's queue. The device itself measures the time between them. This is only an extra: the
// reference clock is Timer.
#pragma once

#include "base/interface.hpp"

#include <vector>

namespace mpsbench::measure {

class EventClock : public base::Interface {
 public:
  // Adds a mark after everything queued so far.
  virtual void mark() = 0;

  // Waits for all marks, returns the seconds between neighbouring ones in order, and removes the marks.
  virtual std::vector<double> take_seconds() = 0;
};

}  // namespace mpsbench::measure
