// Passes messages between the fronts of a run, through a TCPStore, and notices fronts that no longer live.
#pragma once

#include "collective/peers.hpp"
#include "schema/messages.hpp"

#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace mpsbench::collective {

// Two threads wait for the store, which may block for ever if its process is frozen. So a process that has a
// relay cannot destroy it, but must end.
class Relay {
 public:
  using Tell = std::function<void(const schema::Event&)>;  // called from several threads, one at a time

  // Begins to meet the others. Tells MetEvent once all have come or the time is over, then messages and
  // losses; or tells a FailureEvent.
  // FRONT_LIVES says whether the front does.
  Relay(schema::RendezvousRequest request, std::function<bool()> front_lives, Tell tell,
        const Patience& patience = {.silence = lost_after(std::chrono::seconds(12))});
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  void send(const std::string& text);
  // Call this at least once a second. Tells of fronts that are silent and of a meeting that takes too long.
  void watch();
  // Waits until everything has been sent, but not for long.
  void flush();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool leads() const { return request_.place.rank == 0; }
  [[nodiscard]] c10::intrusive_ptr<c10d::Store> open_store() const;
  void receive();
  [[nodiscard]] schema::MetEvent meet(c10d::Store& store) const;
  [[nodiscard]] schema::MetEvent gather(c10d::Store& store) const;
  void take_mail(c10d::Store& store);
  void take_orders(c10d::Store& store);
  void transmit(c10d::Store& store);
  void write(c10d::Store& store, const std::string& text);
  void begin_watching(const schema::MetEvent& met);
  void hear(std::int64_t rank, const std::string& text);
  void lose_all(const std::string& reason);
  void tell(const schema::Event& event);

  schema::RendezvousRequest request_;
  std::function<bool()> front_lives_;
  Tell tell_;
  Patience patience_;
  OwnPause own_pause_;
  Clock::time_point meets_until_;
  std::string prefix_;       // after the meeting
  std::int64_t orders_ = 0;  // written by rank 0
  std::mutex telling_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool is_meeting_ = true;
  bool is_writing_ = false;
  std::deque<std::string> outbox_;
  std::map<std::int64_t, Clock::time_point> heard_;  // the others that live, by rank
  std::thread transmitter_;
  std::thread receiver_;  // the last member, because it uses the others
};

}  // namespace mpsbench::collective
