// How far a run got.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

// partial: a launch failed or has not run yet. interrupted: the user or a signal ended the run early.
enum class RunStatus { complete, partial, interrupted };

struct RunStatusRow {
  RunStatus value;
  std::string_view name;
};

template <>
struct ClosedSet<RunStatus> {
  static constexpr const char* kWhat = "run status";
  static constexpr std::array kRows{RunStatusRow{RunStatus::complete, "complete"},
                                    RunStatusRow{RunStatus::partial, "partial"},
                                    RunStatusRow{RunStatus::interrupted, "interrupted"}};
};
static_assert(is_whole<RunStatus>());

}  // namespace mpsbench::schema
