// What the processes of a launch agree on, so that each decides alike: when the warm-up is over, how long a
// window is, when to stop.
#pragma once

#include "base/interface.hpp"

#include <span>

namespace mpsbench::measure {

// Whatever decides in measure/ is worked out from the case and from numbers that went through here, so every
// process makes the same calls in the same order. A step may need all of them: one step more in one process
// would wait for the others for ever. Called between timed windows only.
class Agreement : public base::Interface {
 public:
  // Waits for the others; each number becomes the largest that any process has in its place.
  virtual void take_largest(std::span<double> numbers) = 0;
};

// Of a launch that one process runs: its numbers stay.
[[nodiscard]] Agreement& alone();

}  // namespace mpsbench::measure
