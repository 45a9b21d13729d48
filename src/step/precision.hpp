// The precision that a step computes in: fp32 by IEEE, fp32 with tf32 products, or bf16 and fp16 by autocast
// over fp32 weights.
#pragma once

#include "schema/precision.hpp"

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <map>
#include <optional>
#include <string>

namespace mpsbench::step {

using schema::Precision;

// The type that autocast computes in; nullopt without autocast.
[[nodiscard]] std::optional<c10::ScalarType> autocast_type(Precision precision);

// Switches of the whole process, before its first step: tf32 for products and convolutions on or off
// (LibTorch's default has it on for convolutions), cuDNN's search for the fastest convolution on or off. What
// it finds differs from process to process, and so do the last digits of the results.
void set_backend(Precision precision, bool search_convolutions);

// Throws Error(usage) where NVIDIA_TF32_OVERRIDE is set: cuBLAS and cuDNN heed it over LibTorch's switches,
// which would go on to say what is not so.
void require_own_precision();

// What is in force now, read back: matmul, convolution, autocast, cudnn_benchmark, deterministic.
[[nodiscard]] std::map<std::string, std::string> read_backend(Precision precision, c10::DeviceType device);

// Autocast for a scope, on this thread. Casts of weights are forgotten at its end: an optimizer step would
// outdate them.
class PrecisionScope {
 public:
  PrecisionScope(Precision precision, c10::DeviceType device);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  bool active_;
  c10::DeviceType device_;
};

}  // namespace mpsbench::step
