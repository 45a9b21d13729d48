// How steps are executed.
#pragma once

#include "schema/closed_set.hpp"

#include <array>
#include <cstdint>

namespace mpsbench::schema {

enum class Engine { eager, graph, compiled, compiled_graph };

// Steps that run before an engine captures one: enough to create lazy tensors and handles and to search for
// the fastest convolutions.
inline constexpr std::int64_t kStepsBeforeCapture = 3;

struct EngineRow {
  Engine value;
  std::string_view name;
  std::string_view help;
  bool one_shape;           // all batches must have the same shape
  bool everywhere = false;  // every device has it, so there is no need to ask the worker
  bool packaged = false;    // runs a package instead of the network's layers
  bool captured = false;    // replays what it captured
};

template <>
struct ClosedSet<Engine> {
  static constexpr const char* kWhat = "engine";
  static constexpr std::array kRows{
      EngineRow{.value = Engine::eager, .name = "eager", .help = "", .one_shape = false, .everywhere = true},
      EngineRow{.value = Engine::graph,
                .name = "graph",
                .help = "replays a CUDA graph",
                .one_shape = true,
                .captured = true},
      EngineRow{.value = Engine::compiled,
                .name = "compiled",
                .help = "compiles the network with AOTInductor first",
                .one_shape = true,
                .packaged = true},
      EngineRow{.value = Engine::compiled_graph,
                .name = "compiled-graph",
                .help = "the same, replayed as a CUDA graph",
                .one_shape = true,
                .packaged = true,
                .captured = true}};
};
static_assert(is_whole<Engine>());

}  // namespace mpsbench::schema
