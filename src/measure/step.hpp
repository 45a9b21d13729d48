// What is measured. One step is one batch; the worker supplies it.
#pragma once

#include "base/interface.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

class Step : public base::Interface {
 public:
  // Queues one step; on a synchronous device it is done on return.
  virtual void run() = 0;

  // The next step takes the first batch of an epoch, where batches have an order.
  virtual void begin_epoch() {}

  // Of the last step run, waiting for it; nullopt when the mode has none. Called between windows only.
  virtual std::optional<double> loss() = 0;

  // Steps that must be behind it, whatever the warm-up, before one is like the next: captures, for example.
  [[nodiscard]] virtual std::int64_t preparation_steps() const { return 0; }

  // A window of fewer would not show what a step takes in the long run.
  [[nodiscard]] virtual std::int64_t least_window_steps() const { return 1; }
};

}  // namespace mpsbench::measure
