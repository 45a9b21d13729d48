// How many steps a sample's window holds.
#pragma once

#include "measure/loop_context.hpp"

#include <cstdint>

namespace mpsbench::measure {

struct WindowRule {
  // Synchronous devices: the clock's cost (or tick) is less than this share of a window.
  static constexpr double kClockShare = 0.001;
  // Without warm-up the first step is all that is known; the others may be this many times shorter.
  static constexpr double kFirstStepSlowdown = 1e4;
  // Asynchronous devices: at least this many steps, doubled until an idle synchronise is less than this share
  // of the window, and a step's time changes by less than the tolerance.
  static constexpr std::int64_t kLeastQueued = 10;
  static constexpr double kSynchroniseShare = 0.004;
  static constexpr double kTolerance = 0.002;
  // Trying may take this share of the time left; each size is timed so often and its median so_far.
  static constexpr double kTrialShare = 0.2;
  static constexpr int kTrials = 3;
};

// After the warm-up, among whose samples the windows tried are kept. The smallest size that meets the rule of
// the device; on asynchronous devices fewer when not even one such window fits the time left.
[[nodiscard]] std::int64_t choose_steps_per_sample(LoopContext& context);

}  // namespace mpsbench::measure
