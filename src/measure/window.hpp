// A timed window: steps queued back to back between two readings of the clock. Each reading follows a
// synchronise.
#pragma once

#include "measure/step.hpp"
#include "measure/timer.hpp"

#include <cstdint>

namespace mpsbench::measure {

// The most windows that a launch keeps as samples.
inline constexpr std::int64_t kMostSamples = 4096;

struct Window {
  double seconds = 0;          // of the whole window
  double enqueue_seconds = 0;  // from its begin until the host had queued the last step
  double end_seconds = 0;      // on the timer's clock; in an agreed window, since the launch began
};

Window time_window(Step& step, Timer& timer, std::int64_t steps);

// Times a window that began at BEGIN_SECONDS, when the device's queue was empty. So windows can follow one
// another without gaps.
Window time_window_from(double begin_seconds, Step& step, Timer& timer, std::int64_t steps);

// Returns the steps of the next window if LEFT steps remain. This is STEPS_PER_SAMPLE, but the last window
// also takes the rest, so that no window is shorter than the others.
[[nodiscard]] std::int64_t next_window(std::int64_t steps_per_sample, std::int64_t left);

}  // namespace mpsbench::measure
