// The events that a running launch sends to the front.
#pragma once

#include "measure/observer.hpp"
#include "schema/messages.hpp"

#include <string>

namespace mpsbench::worker {

class Events : public measure::Observer {
 public:
  virtual void send(const schema::Event& event) = 0;

  void on_phase(schema::Phase phase) override { send(schema::PhaseEvent{phase}); }
  void on_progress(const schema::ProgressEvent& progress) override { send(progress); }
  void on_loss(const schema::LossEvent& loss) override { send(loss); }
};

}  // namespace mpsbench::worker
