// Steps before the first sample, until step times are steady or as many as were asked for.
#pragma once

#include "measure/loop_context.hpp"

#include <span>

namespace mpsbench::measure {

// Rules of the automatic warm-up. The first step is not part of it.
struct WarmupRule {
  // Never more than this share of the time that the first step left; the others are then bounds, too.
  static constexpr double kMostShare = 0.3;
  // Short steps: at least this many windows and seconds (but no more than a share of the budget) ...
  static constexpr std::size_t kLeastWindows = 10;
  static constexpr double kLeastSeconds = 0.05;
  static constexpr double kLeastShare = 0.02;
  // ... until the halves of the later half of them agree this well, or differ by noise only.
  static constexpr double kTolerance = 0.02;
  // Long steps: after this many seconds (or share of the budget) two that agree this well are enough.
  static constexpr double kLongSeconds = 0.5;
  static constexpr double kLongShare = 0.1;
  static constexpr double kLongTolerance = 0.05;
};

// True when SAMPLES (seconds a step, in order), which took ELAPSED_SECONDS of BUDGET_SECONDS, need no more
// before them.
[[nodiscard]] bool is_warm(std::span<const double> samples, double elapsed_seconds, double budget_seconds);

// By the spec's warm-up; the launch's deadline bounds every kind.
[[nodiscard]] bool warm_up(LoopContext& context);

}  // namespace mpsbench::measure
