// The precision that a step computes in.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::schema {

enum class Precision { fp32, tf32, bf16, fp16 };

struct PrecisionRow {
  Precision value;
  std::string_view name;
  std::string_view help;
  double activation_share;  // size of activations relative to fp32
  bool everywhere = false;  // every device has it, so there is no need to ask the worker
};

template <>
struct ClosedSet<Precision> {
  static constexpr const char* kWhat = "precision";
  static constexpr std::array kRows{
      PrecisionRow{Precision::fp32, "fp32", "is IEEE single precision", 1, true},
      PrecisionRow{Precision::tf32, "tf32", "is fp32 with matrix products and convolutions in TF32", 1},
      PrecisionRow{Precision::bf16, "bf16", "is autocast over fp32 weights", 0.5, true},
      PrecisionRow{Precision::fp16, "fp16", "is autocast over fp32 weights", 0.5, true}};
};
static_assert(is_whole<Precision>());

}  // namespace mpsbench::schema
