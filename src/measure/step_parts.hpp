// Times the parts of training steps: forward pass, backward pass and update.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

struct PartsRule {
  static constexpr std::int64_t kMostSteps = 20;
  static constexpr std::int64_t kLeastSteps = 3;
  static constexpr double kShare = 0.05;         // of the launch's time; a longer step is not divided
  static constexpr double kTolerance = 0.05;     // between the parts' sum and the reference clock
  static constexpr double kStepTolerance = 0.1;  // between the sum of the medians and an ordinary step
};

// Fills step_parts with the medians of some steps, if STEP can tell its parts. The device's events stand
// between the parts or, on synchronous devices, readings of the reference clock. Keeps nothing if a part
// takes negative time, if the parts of all these steps together differ from their time by the reference
// clock, or if the sum of the medians differs from the time of STEP without marks. Call this after the other
// samples and input_times: they have that time, and so show how many steps fit into this share.
void measure_step_parts(LoopContext& context, Step& step);

}  // namespace mpsbench::measure
