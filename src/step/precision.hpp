// Sets the precision that a step computes in: IEEE fp32, fp32 with TF32 products, autocast to bf16 or fp16
// with fp32 weights, or all in bf16 or fp16.
#pragma once

#include "schema/engine.hpp"

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <map>
#include <optional>
#include <string>

namespace mpsbench::step {

using schema::Precision;

// Returns the type that autocast computes in, or nullopt if PRECISION needs no autocast.
[[nodiscard]] std::optional<c10::ScalarType> autocast_type(Precision precision);

// Returns the type in which PRECISION stores weights and inputs.
[[nodiscard]] c10::ScalarType stored_type(Precision precision);

// Sets switches of the whole process. Call it before the first step. TF32 is switched on or off for products and
// convolutions (LibTorch's default is on for convolutions), and so is cuDNN's search for the fastest convolution. The
// search may choose differently in each process, which changes the last digits of the results.
void set_backend(Precision precision, bool search_convolutions);

// Sets the same switches for a scope.
class BackendScope {
 public:
  BackendScope(Precision precision, bool search_convolutions);
  ~BackendScope();
  BackendScope(const BackendScope&) = delete;
  BackendScope& operator=(const BackendScope&) = delete;

 private:
  bool tf32_in_products_, tf32_in_convolutions_, search_convolutions_;
};

// Throws Error(usage) if NVIDIA_TF32_OVERRIDE is set. cuBLAS and cuDNN obey it instead of LibTorch's
// switches, and the switches would then report the wrong setting.
void require_own_precision();

// Reads back the settings in effect: matmul, convolution, autocast, cudnn_benchmark and deterministic.
[[nodiscard]] std::map<std::string, std::string> read_backend(Precision precision, c10::DeviceType device);

// Switches autocast on for a scope, on this thread. At its end the cached casts of weights are dropped,
// because an optimizer step would make them outdated.
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
