// Measures how much time a step spends on batches from host memory.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Two parts of a step whose batch comes from host memory.
struct InputParts {
  Step* resident = nullptr;  // the same step on a batch that stays on the device
  Step* feed = nullptr;      // only brings one batch to the device
};

struct InputRule {
  static constexpr double kShare = 0.05;  // of the launch's time, for each part
  static constexpr std::int64_t kLeastWindows = 3;
  static constexpr std::int64_t kMostWindows = 100;
  static constexpr std::int64_t kMostSteps = 100;  // per window
  // More batches than a loader prepares in advance: a shorter window would only use up prepared ones.
  static constexpr std::int64_t kReadyBatches = 8;
};

// Fills input_times. Times windows of the resident step first. Then it uses up the batches that are ready,
// and times windows of the feed.
void measure_input(LoopContext& context, const InputParts& parts);

}  // namespace mpsbench::measure
