// Runs steps before the first sample: until step times are steady, or for the number of steps or seconds that
// the user gave.
#pragma once

#include "measure/loop_context.hpp"

#include <span>

namespace mpsbench::measure {

// Rules of the automatic warm-up. The first step is not part of it.
struct WarmupRule {
  // The warm-up takes at most this share of the time that the first step left, whatever the rules below say.
  static constexpr double kMostShare = 0.3;
  // Short steps need at least this many windows, and this many seconds (or share of the budget, if less) ...
  static constexpr std::size_t kLeastWindows = 10;
  static constexpr double kLeastSeconds = 0.05;
  static constexpr double kLeastShare = 0.02;
  // ... and continue until the two halves of the later windows agree this well, or differ only by noise.
  static constexpr double kTolerance = 0.02;
  // For long steps, two windows that agree this well are enough after this many seconds (or share of the
  // budget, if less).
  static constexpr double kLongSeconds = 0.5;
  static constexpr double kLongShare = 0.1;
  static constexpr double kLongTolerance = 0.05;
};

// Whether the warm-up can end. SAMPLES are its step times in seconds, in order; they took ELAPSED_SECONDS of
// BUDGET_SECONDS.
[[nodiscard]] bool is_warm(std::span<const double> samples, double elapsed_seconds, double budget_seconds);

// Runs the steps that the engine needs to prepare itself, and restarts the launch's time on asynchronous
// devices. Then warms up as the spec says, but never beyond the launch's deadline; the preparation counts
// among the steps or seconds that the user gave. Returns false if the time was too short.
[[nodiscard]] bool warm_up(LoopContext& context);

}  // namespace mpsbench::measure
