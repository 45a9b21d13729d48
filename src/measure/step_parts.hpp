// What a step's time consists of: its parts, its place in the queue, and its input.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Times the parts of training steps: forward pass, backward pass and update.
struct PartsRule {
  static constexpr std::int64_t kMostSteps = 20;
  static constexpr std::int64_t kLeastSteps = 3;
  static constexpr double kShare = 0.05;         // of the launch's time; a longer step is not divided
  static constexpr double kTolerance = 0.05;     // between the parts' sum and the reference clock
  static constexpr double kStepTolerance = 0.1;  // between the sum of the medians and an ordinary step
};

// Fills step_parts with the medians of some steps, if STEP can tell its parts: by the device's events or, on
// synchronous devices, by the reference clock. Keeps nothing if the clocks disagree, or if the sum of the medians
// differs from the time of STEP without marks. Call this after the other samples and input_times, which have that time.
void measure_step_parts(LoopContext& context, Step& step);

// Fills enqueue_seconds with the host's time to queue one step on an idle device; only on asynchronous devices. If it
// takes as long as the step itself, the host is the bottleneck.
void measure_enqueue(LoopContext& context, Step& step);

// Times single steps with the device's own events, and checks them against the reference clock.
struct EventRule {
  static constexpr double kShare = 0.1;          // of the launch's time
  static constexpr double kTolerance = 0.01;     // between a window's time by events and by the reference clock
  static constexpr double kLeastSeconds = 3e-4;  // between two events; each costs the device a microsecond
  static constexpr std::int64_t kMostSamples = 4096;
};

// If the device has events, fills event_check and, if both clocks agree, event_samples_seconds. Uses separate
// windows, so that no sample contains an event.
void measure_events(LoopContext& context);

// Two parts of a step whose batch comes from host memory.
struct InputParts {
  Step* resident = nullptr;  // the same step on a batch that stays on the device
  Step* feed = nullptr;      // only brings one batch to the device
};

struct InputRule {
  static constexpr double kShare = 0.05;  // of the launch's time, for each part
  static constexpr std::int64_t kLeastWindows = 3;
  static constexpr std::int64_t kMostWindows = 100;
  static constexpr std::int64_t kMostSteps = 100;  // per window
  // More batches than a loader prepares in advance: a shorter window would only use up prepared ones.
  static constexpr std::int64_t kReadyBatches = 8;
};

// Fills input_times. Times windows of the resident step first. Then it uses up the batches that are ready,
// and times windows of the feed.
void measure_input(LoopContext& context, const InputParts& parts);

}  // namespace mpsbench::measure
