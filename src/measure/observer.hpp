// Receives the progress of a launch. Called only between timed windows.
#pragma once

#include "base/interface.hpp"
#include "schema/messages.hpp"

#include <cstdint>
#include <string>

namespace mpsbench::measure {

class Observer : public base::Interface {
 public:
  // The launch enters PHASE.
  virtual void on_phase(schema::Phase phase) = 0;

  // The first step is done.
  virtual void on_first_step() {}

  // EPOCH, counted from 1, is done, and no later step has run. IS_LAST means that there are no more epochs.
  virtual void on_epoch(std::int64_t /*epoch*/, bool /*is_last*/) {}

  // Whether to call on_loss() every 100 batches of an epoch and after its last one.
  [[nodiscard]] virtual bool wants_losses() const { return false; }
  virtual void on_loss(const schema::LossEvent& /*loss*/) {}

  // A window of STEPS timed steps is done.
  virtual void on_window(std::int64_t /*steps*/) {}

  // Called at most twice a second by the Timer's clock.
  virtual void on_progress(const schema::ProgressEvent& progress) = 0;

  // The launch has more than before. Called at most twice a second while it warms up.
  virtual void on_part() {}
};

}  // namespace mpsbench::measure
