// The phases of a launch. The worker reports each phase when it enters it.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

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
static_assert(is_whole<Phase>());

}  // namespace mpsbench::schema
