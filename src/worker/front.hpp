// What this process sends to the front that started it, and the fronts of the other ranks.
#pragma once

#include "measure/progress.hpp"
#include "schema/launch_part.hpp"
#include "schema/messages.hpp"

#include <cstdint>
#include <mutex>

namespace mpsbench::worker {

// The events that a running launch sends to the front.
class Events : public measure::Observer {
 public:
  virtual void send(const schema::Event& event) = 0;

  void on_phase(schema::Phase phase) override { send(schema::PhaseEvent{phase}); }
  void on_progress(const schema::ProgressEvent& progress) override { send(progress); }
  void on_loss(const schema::LossEvent& loss) override { send(loss); }
};

// Sends each event as one JSON line on a separate file descriptor.
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

// What else reads stdin, after the request.
enum class Input { nobody, caller };

// On Linux, the kernel then kills this process when the front ends. On macOS, a thread waits for the end of
// stdin, unless the caller does. Returns false if the front (FRONT_PID) has already ended.
[[nodiscard]] bool end_with_front(std::int64_t front_pid, Input input = Input::nobody);

// Whether a signal has stopped the front. Known on Linux only.
[[nodiscard]] bool is_front_stopped(std::int64_t front_pid);

// Connects the front with those of the other ranks: passes messages on until the end of stdin, and then ends
// the process.
[[noreturn]] void connect_fronts(schema::RendezvousRequest request, Events& events);

}  // namespace mpsbench::worker
