// The worker's side of the protocol: events out on their own descriptor, one JSON line each.
#pragma once

#include "worker/events.hpp"

namespace mpsbench::worker {

class Channel final : public Events {
 public:
  // Points descriptor 1 at stderr, so that a stray print cannot get between the events.
  Channel();

  // Throws Error(internal) when nobody reads any more.
  void send(const schema::Event& event) override;
};

}  // namespace mpsbench::worker
