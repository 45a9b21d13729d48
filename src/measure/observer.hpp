// Who wants to know how a launch is going. Called between timed windows only.
#pragma once

#include "schema/messages.hpp"

#include <cstdint>
#include <string>

namespace mpsbench::measure {

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // "warmup", "measure", "events", "latency" or "epoch".
  virtual void on_phase(const std::string& phase) = 0;

  // The first step is done.
  virtual void on_first_step() {}

  // All epochs are done, and no step after them.
  virtual void on_epochs() {}

  // A window of STEPS timed steps is done.
  virtual void on_window(std::int64_t /*steps*/) {}

  // At most twice a second by the Timer's clock.
  virtual void on_progress(const schema::ProgressEvent& progress) = 0;
};

}  // namespace mpsbench::measure
