// The worker's side of the protocol. Sends each event as one JSON line on a separate file descriptor.
#pragma once

#include "worker/events.hpp"

#include <mutex>

namespace mpsbench::worker {

class Channel final : public Events {
 public:
  // Points descriptor 1 at stderr, so that a stray print cannot mix with the events.
  Channel();

  // Throws Error(internal) if the front no longer reads. Several threads may call it.
  void send(const schema::Event& event) override;

 private:
  std::mutex mutex_;
};

}  // namespace mpsbench::worker
