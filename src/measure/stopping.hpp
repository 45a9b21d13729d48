// Decides when a launch stops: when its answer is precise enough, or at a limit.
#pragma once

#include "schema/measure_spec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::measure {

// How far a loop has come.
struct SamplesSoFar {
  std::span<const double> samples;  // seconds per step
  double timed_seconds = 0;         // inside windows
  std::int64_t steps = 0;
  double now_seconds = 0;
};

class StoppingRule {
 public:
  // DEADLINE_SECONDS is on the clock of SamplesSoFar::now_seconds.
  StoppingRule(const schema::MeasureSpec& spec, double deadline_seconds,
               std::optional<std::int64_t> max_batches);

  // Call this after every window. Returns the name of what ends the loop, or nullopt to continue. "max-noise"
  // means that the answer is precise enough; "max-time", "max-samples" and "max-batches" are limits. The
  // interval is not computed after every window.
  [[nodiscard]] std::optional<std::string> stops(const SamplesSoFar& so_far);

  // Returns the conditions that the samples do not meet: "min-time", "min-samples", "max-noise".
  [[nodiscard]] std::vector<std::string> unmet(const SamplesSoFar& so_far) const;

 private:
  const schema::MeasureSpec& spec_;
  double deadline_seconds_;
  std::optional<std::int64_t> max_batches_;
  std::size_t next_look_ = 0;
};

}  // namespace mpsbench::measure
