// Who wants to know how a launch is going. Called between timed windows only.
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

  // EPOCH, counted from 1, is done, and no step after it. IS_LAST: nor is another epoch to come.
  virtual void on_epoch(std::int64_t /*epoch*/, bool /*is_last*/) {}

  // Each 100 batches of an epoch, and after its last: whether anybody wants to know their loss, and it.
  [[nodiscard]] virtual bool wants_losses() const { return false; }
  virtual void on_loss(const schema::LossEvent& /*loss*/) {}

  // A window of STEPS timed steps is done.
  virtual void on_window(std::int64_t /*steps*/) {}

  // At most twice a second by the Timer's clock.
  virtual void on_progress(const schema::ProgressEvent& progress) = 0;
};

}  // namespace mpsbench::measure
