// Chooses how many steps a sample's window has.
#pragma once

#include "measure/loop_context.hpp"

#include <cstdint>

namespace mpsbench::measure {

struct WindowRule {
  // Synchronous devices: the clock's cost (or tick) must be less than this share of a window.
  static constexpr double kClockShare = 0.001;
  // The same holds for the time that several processes need to agree, unless the windows would then be too
  // long for twice min_samples of them.
  static constexpr double kAgreementShare = 0.01;
  // Without warm-up only the first step's time is known; the other steps may be this many times shorter.
  static constexpr double kFirstStepSlowdown = 1e4;
  // Without warm-up the first sample's steps may be this many times as long as later ones.
  static constexpr double kColdSlowdown = 4;
  // Asynchronous devices: a window has at least kLeastQueued steps. They are doubled until an idle
  // synchronise takes less than kSynchroniseShare of the window, and doubling changes a step's time by less
  // than kTolerance.
  static constexpr std::int64_t kLeastQueued = 10;
  static constexpr double kSynchroniseShare = 0.004;
  static constexpr double kTolerance = 0.002;
  // Trials may take kTrialShare of the time left. Each size is timed kTrials times, and the median counts.
  static constexpr double kTrialShare = 0.2;
  static constexpr int kTrials = 3;
};

// Returns the smallest size that meets the device's rule; on asynchronous devices fewer steps if not even one
// such window fits into the time left. Call this after the warm-up: trial windows are kept among its samples.
// If the user gave the warm-up, there are no trials, and the size follows from the times so far.
[[nodiscard]] std::int64_t choose_steps_per_sample(LoopContext& context);

// Runs the first sample without trials before it: its window is doubled until its later half meets the
// device's rule, but gets at most MOST steps. Stops doubling if too few windows would fit until
// DEADLINE_SECONDS.
Window run_growing_sample(LoopContext& context, std::int64_t most, double deadline_seconds);

}  // namespace mpsbench::measure
