// The worker's side of the protocol. Sends each event as one JSON line on a separate file descriptor.
#pragma once

#include "measure/progress.hpp"
#include "schema/launch_part.hpp"
#include "schema/messages.hpp"

#include <mutex>
#include <string>

namespace mpsbench::worker {

// The events that a running launch sends to the front.
class Events : public measure::Observer {
 public:
  virtual void send(const schema::Event& event) = 0;

  void on_phase(schema::Phase phase) override { send(schema::PhaseEvent{phase}); }
  void on_progress(const schema::ProgressEvent& progress) override { send(progress); }
  void on_loss(const schema::LossEvent& loss) override { send(loss); }
};

class Channel final : public Events {
 public:
  // Points descriptor 1 at stderr, so that a stray print cannot mix with the events.
  Channel();

  // Throws Error(internal) if the front no longer reads. Several threads may call it.
  void send(const schema::Event& event) override;

 private:
  std::mutex mutex_;
};

// Passes a launch's events on, and sends the launch in parts.
class PartSender : public measure::Observer {
 public:
  // EVENTS and LAUNCH must outlive it.
  PartSender(Events& events, const schema::Launch& launch) : events_(events), launch_(launch) {}

  void on_phase(schema::Phase phase) override { events_.on_phase(phase); }
  void on_first_step() override { on_part(); }
  void on_epoch(std::int64_t /*epoch*/, bool /*is_last*/) override { on_part(); }
  void on_loss(const schema::LossEvent& loss) override { events_.on_loss(loss); }
  void on_progress(const schema::ProgressEvent& progress) override {
    events_.on_progress(progress);
    on_part();
  }
  void on_part() override {
    const bool is_last_open = !launch_.ranks.empty();  // the ranks have not agreed on its time yet
    events_.send(schema::PartEvent{cutter_.next_part(launch_, is_last_open)});
  }

 private:
  Events& events_;
  const schema::Launch& launch_;
  schema::LaunchCutter cutter_;
};

}  // namespace mpsbench::worker
