// Lets the processes of a launch agree on numbers, so that all make the same decisions: when the warm-up is
// over, how long a window is, and when to stop.
#pragma once

#include "base/interface.hpp"

#include <span>

namespace mpsbench::measure {

// All decisions in measure/ follow from the case and from numbers that went through here. So every process
// makes the same calls in the same order. This matters because a step may need all processes: if one of them
// ran an extra step, it would wait for the others forever. Called only between timed windows.
class Agreement : public base::Interface {
 public:
  // Waits for the other processes, then sets each number to the largest value that any process passed there.
  virtual void take_largest(std::span<double> numbers) = 0;
  // Whether there are several processes that read one clock, so that the times of one mean something to the
  // others.
  [[nodiscard]] virtual bool shares_clock() const { return false; }
};

// Returns the agreement for a launch that runs in one process: its numbers stay as they are.
[[nodiscard]] Agreement& alone();

}  // namespace mpsbench::measure
