// What is measured, and the timed windows in which it is measured: steps queued back to back between two
// readings of the clock. Each reading follows a synchronise, and a self-test proves that this waits for the
// device's work.
#pragma once

#include "base/interface.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

// A step processes one batch. The worker implements it.
class Step : public base::Interface {
 public:
  // Queues one step. On a synchronous device the step is done when this returns.
  virtual void run() = 0;

  // Queues one step like run(), and adds a mark to CLOCK after each of its three parts: the forward pass with
  // everything before it, the backward pass, and the update. Returns false, and queues nothing, if the step
  // has no such parts or cannot mark them.
  [[nodiscard]] virtual bool run_marked(EventClock& /*clock*/) { return false; }

  // Makes the next step take the first batch of an epoch, if batches have an order.
  virtual void begin_epoch() {}

  // Waits for the last step and returns its loss, or nullopt if the mode has none. Called only between
  // windows.
  virtual std::optional<double> loss() = 0;

  // Returns how many steps must run before all steps are alike, whatever the warm-up: the steps that capture
  // a graph, for example.
  [[nodiscard]] virtual std::int64_t preparation_steps() const { return 0; }

  // Returns the smallest number of steps that a window needs to show the long-run time of a step.
  [[nodiscard]] virtual std::int64_t least_window_steps() const { return 1; }
};

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

// Runs before an asynchronous device is measured, and uses the same kind of windows. OPERATION must do the
// same work every time and take far longer than queueing it; its loss() reads the result.
[[nodiscard]] schema::SelfTest test_synchronise(Step& operation, Timer& timer);

}  // namespace mpsbench::measure
