// What batches from host memory cost a step.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Two parts of a step whose batch comes from host memory.
struct InputParts {
  Step* resident = nullptr;  // the same step, its batch on the device all the time
  Step* feed = nullptr;      // bringing one batch, alone
};

struct InputRule {
  static constexpr double kShare = 0.05;  // of the launch's time, for each part
  static constexpr std::int64_t kLeastWindows = 3;
  static constexpr std::int64_t kMostWindows = 100;
  static constexpr std::int64_t kMostSteps = 100;  // of a window
  // More than a loader makes ahead: a window of fewer would only take those.
  static constexpr std::int64_t kReadyBatches = 8;
};

// Fills input_times, first from windows of the resident step, then of the feed, after what was ready is used
// up.
void measure_input(LoopContext& context, const InputParts& parts);

}  // namespace mpsbench::measure
