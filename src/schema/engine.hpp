// How steps are executed.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Engine { eager, graph };

struct EngineRow {
  Engine value;
  std::string_view name;
  std::string_view help;
  bool one_shape;           // all batches must have the same shape
  bool everywhere = false;  // every device has it, so there is no need to ask the worker
};

template <>
struct ClosedSet<Engine> {
  static constexpr const char* kWhat = "engine";
  static constexpr std::array kRows{EngineRow{Engine::eager, "eager", "", false, true},
                                    EngineRow{Engine::graph, "graph", "replays a CUDA graph", true}};
};
static_assert(is_whole<Engine>());

}  // namespace mpsbench::schema
