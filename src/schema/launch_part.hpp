// What a launch has measured so far. A worker sends it in parts while it measures, so that nothing of it is
// lost if the launch does not end well.
#pragma once

#include "schema/closed_set.hpp"
#include "schema/launch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpsbench::schema {

// The phases of a launch. The worker reports each phase when it enters it.
enum class Phase { device, model, data, warmup, measure, events, latency, epoch, loop, evaluate };

struct PhaseRow {
  Phase value;
  std::string_view name;
  std::string_view help;  // what the progress line shows
  bool measured = false;  // sensors are read during this phase
};

template <>
struct ClosedSet<Phase> {
  static constexpr const char* kWhat = "phase";
  static constexpr std::array kRows{PhaseRow{Phase::device, "device", "preparing"},
                                    PhaseRow{Phase::model, "model", "preparing"},
                                    PhaseRow{Phase::data, "data", "preparing"},
                                    PhaseRow{Phase::warmup, "warmup", "warming up"},
                                    PhaseRow{Phase::measure, "measure", "measuring", true},
                                    PhaseRow{Phase::events, "events", "measuring"},
                                    PhaseRow{Phase::latency, "latency", "measuring"},
                                    PhaseRow{Phase::epoch, "epoch", "measuring", true},
                                    PhaseRow{Phase::loop, "loop", "measuring", true},
                                    PhaseRow{Phase::evaluate, "evaluate", "preparing"}};
};

// Cuts a growing launch into parts.
class LaunchCutter {
 public:
  // Returns LAUNCH without the samples, losses, epochs and evaluations that earlier parts had. If
  // IS_LAST_OPEN, leaves out the last sample, which may still change.
  [[nodiscard]] Launch next_part(const Launch& launch, bool is_last_open);

 private:
  std::vector<std::size_t> sent_;
};

// Adds PART to WHOLE, which has all parts before it.
void add_part(Launch& whole, Launch part);

// Notes in LAUNCH, which was cut short, if it has samples, but fewer than LEAST_SAMPLES.
void note_few_samples(Launch& launch, std::int64_t least_samples);

// Whether the figures of a case may come from LAUNCH: it ended well, or it was cut short (stopped, crashed,
// out of memory) after a whole epoch or enough samples.
[[nodiscard]] bool counts(const Launch& launch);

// Returns those of LAUNCHES that count.
[[nodiscard]] std::vector<const Launch*> counted(std::span<const Launch> launches);

}  // namespace mpsbench::schema
