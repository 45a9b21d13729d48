// Measures throughput and latency: how many steps a window has, and when the answer is precise enough.
#pragma once

#include "measure/loop_context.hpp"
#include "schema/measure_spec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::measure {

// Chooses how many steps a sample's window has.
struct WindowRule {
  // Synchronous devices: the clock's cost (or tick) must be less than this share of a window.
  static constexpr double kClockShare = 0.001;
  // The same holds for the time that several processes need to agree, unless the windows would then be too
  // long for twice min_samples of them.
  static constexpr double kAgreementShare = 0.01;
  // Without warm-up only the first step's time is known; the other steps may be this many times shorter.
  static constexpr double kFirstStepSlowdown = 1e4;
  // Without warm-up the first sample's steps may be this many times as long as later ones.
  static constexpr double kColdSlowdown = 4;
  // Asynchronous devices: a window has at least kLeastQueued steps. They are doubled until an idle
  // synchronise takes less than kSynchroniseShare of the window, and doubling changes a step's time by less
  // than kTolerance.
  static constexpr std::int64_t kLeastQueued = 10;
  static constexpr double kSynchroniseShare = 0.004;
  static constexpr double kTolerance = 0.002;
  // Trials may take kTrialShare of the time left. Each size is timed kTrials times, and the median counts.
  static constexpr double kTrialShare = 0.2;
  static constexpr int kTrials = 3;
};

// Returns the smallest size that meets the device's rule; on asynchronous devices fewer steps if not even one
// such window fits into the time left. Call this after the warm-up: trial windows are kept among its samples.
// If the user gave the warm-up, there are no trials, and the size follows from the times so far.
[[nodiscard]] std::int64_t choose_steps_per_sample(LoopContext& context);

// How far a loop has come.
struct SamplesSoFar {
  std::span<const double> samples;  // seconds per step
  double timed_seconds = 0;         // inside windows
  std::int64_t steps = 0;
  double now_seconds = 0;
};

// Decides when a launch stops: when its answer is precise enough, or at a limit.
class StoppingRule {
 public:
  // DEADLINE_SECONDS is on the clock of SamplesSoFar::now_seconds.
  StoppingRule(const schema::MeasureSpec& spec, double deadline_seconds, std::optional<std::int64_t> max_batches);

  // Call this after every window. Returns the name of what ends the loop, or nullopt to continue. "max-noise"
  // means that the answer is precise enough; "max-time", "max-samples" and "max-batches" are limits.
  [[nodiscard]] std::optional<std::string> stops(const SamplesSoFar& so_far);

  // Returns the conditions that the samples do not meet: "min-time", "min-samples", "max-noise".
  [[nodiscard]] std::vector<std::string> unmet(const SamplesSoFar& so_far) const;

 private:
  const schema::MeasureSpec& spec_;
  double deadline_seconds_;
  std::optional<std::int64_t> max_batches_;
  std::size_t next_look_ = 0;
};

// Measures throughput: steps are queued back to back, as in real training, and timed in windows. Fills
// samples_seconds, steps_per_sample, stopped_by and unmet. Without STEPS_PER_SAMPLE, the first sample
// shows how many steps are enough. Runs at least one window, then stops when the stopping rule says so or at
// DEADLINE_SECONDS (on the clock of the context's now_seconds()).
void measure_throughput(LoopContext& context, std::optional<std::int64_t> steps_per_sample, double deadline_seconds);

// The share of the launch's time that is reserved for the latency loop, if there is one.
inline constexpr double kLatencyShare = 0.3;

// Measures latency: how long one step takes if the host waits for it. On synchronous devices throughput
// already answers this. Fills latency_samples_seconds with windows of one step. The stopping rule is that of
// throughput; the deadline is the launch's.
void measure_latency(LoopContext& context);

}  // namespace mpsbench::measure
