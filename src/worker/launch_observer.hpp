// What a launch records about its steps between the timed windows.
#pragma once

#include "device/libtorch_errors.hpp"
#include "measure/live_memory.hpp"
#include "step/attention_watch.hpp"
#include "worker/channel.hpp"
#include "worker/prepared_launch.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::worker {

// Writes the evidence of the first step immediately, so that a later failure
// does not lose it.
class LaunchObserver final : public PartSender {
 public:
  // Fills LAUNCH. PREPARED, EVENTS and LAUNCH must outlive the observer.
  LaunchObserver(PreparedLaunch& prepared, Events& events, schema::Launch& launch);

  void on_window(std::int64_t steps) override { live_memory_.after_window(steps); }
  void on_first_step() override;
  [[nodiscard]] bool wants_losses() const override { return prepared_->request->report_losses; }
  // Evaluates what the network has learned so far.
  void on_epoch(std::int64_t epoch, bool is_last) override;

 private:
  PreparedLaunch* prepared_;
  schema::Launch* launch_;
  measure::LiveMemoryLog live_memory_;
  std::optional<step::AttentionWatch> attention_;     // until the first step is done
  std::optional<device::CpuFallbackWatch> fallback_;  // until the first step is done
};

}  // namespace mpsbench::worker
