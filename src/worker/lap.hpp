// Measures the seconds between calls, for the phases of set-up.
#pragma once

#include "base/clock.hpp"

#include <utility>

namespace mpsbench::worker {

class Lap {
 public:
  // Returns the seconds since the last call; the first call returns those since the object was made.
  double operator()() {
    const double now = base::steady_seconds();
    return now - std::exchange(last_, now);
  }

 private:
  double last_ = base::steady_seconds();
};

}  // namespace mpsbench::worker
