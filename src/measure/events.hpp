// Times single steps with the device's own events, and checks them against the reference clock.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

struct EventRule {
  static constexpr double kShare = 0.1;       // of the launch's time
  static constexpr double kTolerance = 0.01;  // between a window's time by events and by the reference clock
  static constexpr double kLeastSeconds = 3e-4;  // between two events; each costs the device a microsecond
  static constexpr std::int64_t kMostSamples = 4096;
};

// If the device has events, fills event_check and, if both clocks agree, event_samples_seconds. Uses separate
// windows, so that no sample contains an event.
void measure_events(LoopContext& context);

}  // namespace mpsbench::measure
