// Proof that a synchronise waits: before a device that queues its work is measured, and by the same windows.
#pragma once

#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"

namespace mpsbench::measure {

struct SelfTestRule {
  // The first window: operations are doubled until it lasts so long, or are so many.
  static constexpr double kWindowSeconds = 0.005;
  static constexpr std::int64_t kMostOperations = 4096;
  // A window of so many times the operations must last at least so many times as long.
  static constexpr std::int64_t kFactor = 4;
  static constexpr double kLeastGrowth = 3;
  // Reading a result right after the window, which waits by itself, may take this share of it: the rest would
  // be work that the synchronise left undone.
  static constexpr double kMostResidual = 0.1;
  // A device shared with other programs may hold one window up; a synchronise that does not wait never
  // passes.
  static constexpr int kMostTries = 3;
};

// Of a test that did not pass.
inline constexpr char kSelfTestFailure[] =
    "synchronising the device does not wait for its work, so no time would be true; try another driver or "
    "LibTorch";

// OPERATION: the same work every time, long enough that queueing it is nothing beside it; loss() reads its
// result.
[[nodiscard]] schema::SelfTest test_synchronise(Step& operation, Timer& timer);

}  // namespace mpsbench::measure
