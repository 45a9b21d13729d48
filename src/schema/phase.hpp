// What a worker is at, as it says on entering.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Phase { device, model, data, warmup, measure, events, latency, epoch, loop, evaluate };

struct PhaseRow {
  Phase value;
  std::string_view name;
  std::string_view help;  // what a person is told of it
  bool measured = false;  // readings of the machine's sensors belong to it
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
