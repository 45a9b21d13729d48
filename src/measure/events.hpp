// Times of single steps by the device's own events, cross-checked against the reference clock.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

struct EventRule {
  static constexpr double kShare = 0.1;          // of the launch's time
  static constexpr double kTolerance = 0.01;     // between a window by events and by the reference clock
  static constexpr double kLeastSeconds = 3e-4;  // between two events: each takes the device a microsecond
  static constexpr std::int64_t kMostSamples = 4096;
};

// Where the device has events: fills event_check and, when both clocks agree, event_samples_seconds. Windows
// of its own, so that no event stands inside a sample.
void measure_events(LoopContext& context);

}  // namespace mpsbench::measure
