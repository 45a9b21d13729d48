// How a step is computed: by which engine, in which precision, and with how much of a compiler's effort.
#pragma once

#include "schema/closed_set.hpp"

#include <array>
#include <cstdint>

namespace mpsbench::schema {

// How steps are executed.
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
      EngineRow{
          .value = Engine::graph, .name = "graph", .help = "replays a CUDA graph", .one_shape = true, .captured = true},
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

// The precision that a step computes in.
enum class Precision { fp32, tf32, bf16, fp16, pure_bf16, pure_fp16, int8, int4 };

struct PrecisionRow {
  Precision value;
  std::string_view name;
  std::string_view help;
  double activation_share;  // size of activations, and of cached keys and values, relative to fp32
  bool everywhere = false;  // every device has it, so there is no need to ask the worker
  Precision kernels{};      // whose matrix products it has, and so its ceiling and rounding
  bool is_stored = false;   // weights are stored in it, too; such a network cannot train
  int weight_bits = 0;      // of those of linear layers, which are whole numbers; 0: they are as all others
};

template <>
struct ClosedSet<Precision> {
  static constexpr const char* kWhat = "precision";
  static constexpr const char* kAutocast = "is autocast over fp32 weights";
  static constexpr const char* kPure = "stores the weights in it, too, and only infers and generates";
  static constexpr std::array kRows{
      PrecisionRow{Precision::fp32, "fp32", "is IEEE single precision", 1, true, Precision::fp32},
      PrecisionRow{Precision::tf32, "tf32", "is fp32 with matrix products and convolutions in TF32", 1, false,
                   Precision::tf32},
      PrecisionRow{Precision::bf16, "bf16", kAutocast, 0.5, true, Precision::bf16},
      PrecisionRow{Precision::fp16, "fp16", kAutocast, 0.5, true, Precision::fp16},
      PrecisionRow{Precision::pure_bf16, "pure-bf16", kPure, 0.5, true, Precision::bf16, true},
      PrecisionRow{Precision::pure_fp16, "pure-fp16", kPure, 0.5, true, Precision::fp16, true},
      PrecisionRow{Precision::int8, "int8", "is pure-bf16 with the weights of linear layers in 8 bits, scaled by row",
                   0.5, false, Precision::bf16, true, 8},
      PrecisionRow{Precision::int4, "int4", "is the same with 4 bits, scaled by group", 0.5, false, Precision::bf16,
                   true, 4}};
};

// The size of stored weights relative to fp32.
[[nodiscard]] constexpr double weight_share(const PrecisionRow& row) {
  return row.is_stored ? row.activation_share : 1;
}

// How much time the compiler of a package takes to find faster kernels.
enum class CompileMode { usual, max_autotune };

template <>
struct ClosedSet<CompileMode> {
  static constexpr const char* kWhat = "compile mode";
  static constexpr std::array kRows{
      HelpRow{CompileMode::usual, "default", ""},
      HelpRow{CompileMode::max_autotune, "max-autotune", "tries more kernels, which takes much longer"}};
};

}  // namespace mpsbench::schema
