#include "step/precision.hpp"

#include "base/error.hpp"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>

#include <cstdlib>

namespace mpsbench::step {

std::optional<c10::ScalarType> autocast_type(Precision precision) {
  if (precision == Precision::bf16) return c10::ScalarType::BFloat16;
  if (precision == Precision::fp16) return c10::ScalarType::Half;
  return std::nullopt;
}

c10::ScalarType stored_type(Precision precision) {
  const auto& row = row_of(precision);
  if (!row.is_stored) return c10::ScalarType::Float;
  return row.kernels == Precision::bf16 ? c10::ScalarType::BFloat16 : c10::ScalarType::Half;
}

void set_backend(Precision precision, bool search_convolutions) {
  at::Context& context = at::globalContext();
  const bool tf32 = precision == Precision::tf32;
  context.setAllowTF32CuBLAS(tf32);
  context.setAllowTF32CuDNN(tf32);
  context.setBenchmarkCuDNN(search_convolutions);
}

BackendScope::BackendScope(Precision precision, bool search_convolutions)
    : tf32_in_products_(at::globalContext().allowTF32CuBLAS()),
      tf32_in_convolutions_(at::globalContext().allowTF32CuDNN()),
      search_convolutions_(at::globalContext().benchmarkCuDNN()) {
  set_backend(precision, search_convolutions);
}

BackendScope::~BackendScope() {
  at::Context& context = at::globalContext();
  context.setAllowTF32CuBLAS(tf32_in_products_);
  context.setAllowTF32CuDNN(tf32_in_convolutions_);
  context.setBenchmarkCuDNN(search_convolutions_);
}

void require_own_precision() {
  if (std::getenv("NVIDIA_TF32_OVERRIDE") == nullptr) return;
  throw base::usage_error("the variable NVIDIA_TF32_OVERRIDE is set and would overrule --precision; unset it");
}

std::map<std::string, std::string> read_backend(Precision precision, c10::DeviceType device) {
  const at::Context& context = at::globalContext();
  const auto autocast = autocast_type(precision);
  std::map<std::string, std::string> state;
  state["autocast"] = autocast ? c10::toString(*autocast) : "off";
  state["deterministic"] = context.deterministicAlgorithms() ? "on" : "off";
  if (device != c10::DeviceType::CUDA) return state;
  state["matmul"] = context.allowTF32CuBLAS() ? "tf32" : "ieee";
  state["convolution"] = context.allowTF32CuDNN() ? "tf32" : "ieee";
  state["cudnn_benchmark"] = context.benchmarkCuDNN() ? "on" : "off";
  return state;
}

PrecisionScope::PrecisionScope(Precision precision, c10::DeviceType device)
    : active_(autocast_type(precision).has_value()), device_(device) {
  if (!active_) return;
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_,
                                   autocast_type(precision).value());  // the default type depends on the device
  at::autocast::increment_nesting();
}

PrecisionScope::~PrecisionScope() {
  if (!active_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(device_, false);
}

}  // namespace mpsbench::step
