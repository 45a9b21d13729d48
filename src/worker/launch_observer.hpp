// What a launch records about its steps between the timed windows.
#pragma once

#include "device/cpu_fallback.hpp"
#include "measure/live_memory.hpp"
#include "step/attention_watch.hpp"
#include "worker/events.hpp"
#include "worker/prepared_launch.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::worker {

// Passes the launch's events on. Writes the evidence of the first step immediately, so that a later failure
// does not lose it.
class LaunchObserver final : public measure::Observer {
 public:
  // Fills LAUNCH. PREPARED, EVENTS and LAUNCH must outlive the observer.
  LaunchObserver(PreparedLaunch& prepared, Events& events, schema::Launch& launch);

  void on_phase(schema::Phase phase) override { events_->on_phase(phase); }
  void on_progress(const schema::ProgressEvent& progress) override { events_->on_progress(progress); }
  void on_window(std::int64_t steps) override { live_memory_.after_window(steps); }
  void on_first_step() override;
  [[nodiscard]] bool wants_losses() const override { return prepared_->request->report_losses; }
  void on_loss(const schema::LossEvent& loss) override { events_->on_loss(loss); }
  // Evaluates what the network has learned so far.
  void on_epoch(std::int64_t epoch, bool is_last) override;

 private:
  PreparedLaunch* prepared_;
  Events* events_;
  schema::Launch* launch_;
  measure::LiveMemoryLog live_memory_;
  std::optional<step::AttentionWatch> attention_;     // until the first step is done
  std::optional<device::CpuFallbackWatch> fallback_;  // until the first step is done
};

}  // namespace mpsbench::worker
