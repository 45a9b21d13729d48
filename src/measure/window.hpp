// A timed window: steps queued back to back between two readings of the clock, each after a synchronise.
#pragma once

#include "measure/step.hpp"
#include "measure/timer.hpp"

#include <cstdint>

namespace mpsbench::measure {

// Most windows that a launch keeps as samples.
inline constexpr std::int64_t kMostSamples = 4096;

struct Window {
  double seconds = 0;          // of the whole window
  double enqueue_seconds = 0;  // of it, until the host had queued the last step
  double end_seconds = 0;      // on the timer's clock; once agreed, since the launch began
};

Window time_window(Step& step, Timer& timer, std::int64_t steps);

// The next window of a row without gaps, which began where the one before ended. Nothing is queued then.
Window time_window_from(double begin_seconds, Step& step, Timer& timer, std::int64_t steps);

// Steps of the next window of STEPS_PER_SAMPLE when LEFT remain. The last one takes the rest with it, so that
// none is shorter than the others.
[[nodiscard]] std::int64_t next_window(std::int64_t steps_per_sample, std::int64_t left);

}  // namespace mpsbench::measure
