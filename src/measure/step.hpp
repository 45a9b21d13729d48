// What is measured: a step processes one batch. The worker implements it.
#pragma once

#include "base/interface.hpp"
#include "measure/timer.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

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

}  // namespace mpsbench::measure
