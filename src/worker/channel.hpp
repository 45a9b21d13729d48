// The worker's side of the protocol: events out on their own descriptor, one JSON line each.
#pragma once

#include "measure/observer.hpp"
#include "schema/messages.hpp"

#include <string>

namespace mpsbench::worker {

class Channel final : public measure::Observer {
 public:
  // Points descriptor 1 at stderr, so that a stray print cannot get between the events.
  Channel();

  // Throws Error(internal) when nobody reads any more.
  void send(const schema::Event& event);

  void on_phase(const std::string& phase) override { send(schema::PhaseEvent{phase}); }
  void on_progress(const schema::ProgressEvent& progress) override { send(progress); }
  void on_loss(const schema::LossEvent& loss) override { send(loss); }
};

}  // namespace mpsbench::worker
