// Proves that a synchronise waits for the device's work. Runs before an asynchronous device is measured, and
// uses the same kind of windows.
#pragma once

#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"

namespace mpsbench::measure {

struct SelfTestRule {
  // For the first window, the number of operations is doubled until the window lasts kWindowSeconds or has
  // kMostOperations.
  static constexpr double kWindowSeconds = 0.005;
  static constexpr std::int64_t kMostOperations = 4096;
  // A window with kFactor times as many operations must last at least kLeastGrowth times as long.
  static constexpr std::int64_t kFactor = 4;
  static constexpr double kLeastGrowth = 3;
  // Reading a result always waits for the device. Right after the window it may take at most this share of
  // the window; if it takes longer, the synchronise did not wait for all work.
  static constexpr double kMostResidual = 0.1;
  // If other programs use the device, many windows are delayed. So a failed test is repeated until it was
  // tried kLeastTries times and kRetrySeconds have passed. A synchronise that does not wait never passes.
  static constexpr int kLeastTries = 3;
  static constexpr double kRetrySeconds = 2;
};

// The failure message if the test did not pass.
inline constexpr char kSelfTestFailure[] =
    "synchronising the device does not wait for its work, so all times would be wrong; try another driver or "
    "LibTorch";

// OPERATION must do the same work every time and take far longer than queueing it; its loss() reads the
// result.
[[nodiscard]] schema::SelfTest test_synchronise(Step& operation, Timer& timer);

}  // namespace mpsbench::measure
