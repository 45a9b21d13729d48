// Registers a kernel for every operator: the queue runs those that MPS has, and refuses the others. Some
// operators are composed here, as MPS composes them.
#include "call.hpp"
#include "mps_operators.hpp"  // made by list_operators.py

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_fused_rms_norm.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/_scaled_dot_product_attention_math_for_mps.h>
#include <ATen/ops/div.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool2d_with_indices_backward.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

namespace mpsbench::standin {
namespace {

std::string full_name(const c10::OperatorHandle& op) {
  const std::string& overload = op.operator_name().overload_name;
  return op.operator_name().name + (overload.empty() ? "" : "." + overload);
}

bool falls_back() {
  const char* text = std::getenv("PYTORCH_ENABLE_MPS_FALLBACK");
  return text != nullptr && std::string_view(text) == "1";
}

// Whether MPS has OP, from the wheel's own list.
bool is_listed(const c10::OperatorHandle& op) {
  static const std::unordered_set<std::string> all(std::begin(kMpsOperators), std::end(kMpsOperators));
  constexpr std::string_view kSpace = "aten::";
  const std::string name = full_name(op);
  return name.starts_with(kSpace) && all.count(name.substr(kSpace.size())) > 0;
}

// Handles an operator that MPS lacks: throws MPS's error or, with PYTORCH_ENABLE_MPS_FALLBACK=1, prints its
// warning and runs the operator on the CPU.
void run_unlisted(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const std::string name = full_name(op);
  TORCH_CHECK_NOT_IMPLEMENTED(
      falls_back(), "The operator '", name,
      "' is not currently implemented for the MPS device. If you want this op to be considered for addition "
      "please comment on https://github.com/pytorch/pytorch/issues/141287 and mention use-case, that resulted "
      "in missing op as well as commit hash. As a temporary fix, you can set the environment variable "
      "`PYTORCH_ENABLE_MPS_FALLBACK=1` to use the CPU as a fallback for this op. WARNING: this will be slower "
      "than running natively on MPS.");
  TORCH_WARN_ONCE("The operator '", name,
                  "' is not currently supported on the MPS backend and will fall back to run on the CPU. This "
                  "may have performance implications.");
  at::native::cpu_fallback(op, stack);
}

void fallback(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  is_listed(op) ? run_on_queue(op, stack) : run_unlisted(op, stack);
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> linear_backward(const at::Tensor& self, const at::Tensor& gradient,
                                                               const at::Tensor& weight, std::array<bool, 3> wanted) {
  const at::Tensor rows = gradient.reshape({-1, gradient.size(-1)});
  at::Tensor of_input;
  at::Tensor of_weight;
  at::Tensor of_bias;
  if (wanted[0]) of_input = at::mm(rows, weight).view_as(self);
  if (wanted[1]) of_weight = at::mm(rows.t(), self.reshape({-1, self.size(-1)}));
  if (wanted[2]) of_bias = rows.sum(0);
  return {of_input, of_weight, of_bias};
}

at::Tensor max_pool2d_backward(const at::Tensor& gradient, const at::Tensor& self, at::IntArrayRef kernel,
                               at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation,
                               bool ceil_mode) {
  const at::Tensor indices =
      std::get<1>(at::max_pool2d_with_indices(self, kernel, stride, padding, dilation, ceil_mode));
  return at::max_pool2d_with_indices_backward(gradient, self, kernel, stride, padding, dilation, ceil_mode, indices);
}

// Replaces MPS's own kernel for attention without gradients.
std::tuple<at::Tensor, at::Tensor> attention_math(const at::Tensor& query, const at::Tensor& key,
                                                  const at::Tensor& value, const std::optional<at::Tensor>& mask,
                                                  double dropout, bool is_causal,
                                                  const std::optional<at::Tensor>& dropout_mask,
                                                  std::optional<double> scale, bool enable_gqa) {
  TORCH_CHECK(dropout == 0, "_scaled_dot_product_attention_math_for_mps: dropout_p != 0.0 is not supported");
  const at::DisableRecordFunctionGuard unseen;  // hides the operators inside, because MPS's kernel is a single operator
  return at::_scaled_dot_product_attention_math(query, key, value, mask, dropout, is_causal, dropout_mask, scale,
                                                enable_gqa);
}

// Chooses between the two kernels for attention; LibTorch for the CPU is built without this choice. It is
// registered for AutogradMPS, too, because gradients exist only for its parts.
at::Tensor attention(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                     const std::optional<at::Tensor>& mask, double dropout, bool is_causal, std::optional<double> scale,
                     bool enable_gqa) {
  std::optional<at::Tensor> added = mask;
  if (mask && mask->scalar_type() == at::kBool) {
    added = at::zeros_like(*mask, query.options());
    added->masked_fill_(mask->logical_not(), -std::numeric_limits<double>::infinity());
  }
  const bool has_gradients =
      at::GradMode::is_enabled() && (query.requires_grad() || key.requires_grad() || value.requires_grad());
  const auto run =
      has_gradients ? &at::_scaled_dot_product_attention_math : &at::_scaled_dot_product_attention_math_for_mps;
  return std::get<0>(run(query, key, value, added, dropout, is_causal, {}, scale, enable_gqa));
}

// MPS's own kernel has no backward pass, so LibTorch for MPS composes the operator where gradients are needed.
at::Tensor rms_norm(const at::Tensor& input, c10::SymIntArrayRef shape, const std::optional<at::Tensor>& weight,
                    std::optional<double> eps) {
  const at::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(shape);
  const bool has_gradients =
      at::GradMode::is_enabled() && (input.requires_grad() || (weight && weight->requires_grad()));
  if (!has_gradients) return std::get<0>(at::_fused_rms_norm(input, sizes, weight, eps));
  std::vector<std::int64_t> dims;
  for (std::int64_t dim = 1; dim <= static_cast<std::int64_t>(sizes.size()); ++dim) dims.push_back(-dim);
  const double added = eps.value_or(std::numeric_limits<float>::epsilon());
  const at::Tensor normal = input.mul(input.pow(2).mean(dims, /*keepdim=*/true).add(added).rsqrt());
  return weight ? normal.mul(*weight) : normal;
}

// Runs an operator that only the CPU has.
at::Tensor on_queue(const char* name, torch::jit::Stack stack) {
  run_on_queue(c10::Dispatcher::singleton().findSchemaOrThrow(name, ""), &stack);
  return stack.back().toTensor();
}

// Weights in 4 bits have the layout of the CPU's kernel. WEIGHT has two numbers a byte, the first in the high bits.
at::Tensor pack_int4(const at::Tensor& weight, std::int64_t tiles) {
  const at::Tensor high = at::div(weight, 16, "floor");
  const at::Tensor whole = at::stack({high, at::sub(weight, at::mul(high, 16))}, -1).flatten(1).to(at::kInt);
  return on_queue("aten::_convert_weight_to_int4pack_for_cpu", {whole, tiles});
}

at::Tensor multiply_int4(const at::Tensor& x, const at::Tensor& packed, std::int64_t group, const at::Tensor& scales) {
  return on_queue("aten::_weight_int4pack_mm_for_cpu", {x, packed, group, scales});
}

TORCH_LIBRARY_IMPL(_, MPS, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&fallback>());
}

TORCH_LIBRARY_IMPL(aten, MPS, library) {
  for (const char* name : kMpsWhole) library.impl(name, torch::CppFunction::makeFromBoxedFunction<&run_on_queue>());
  // LibTorch for the CPU is built without the code that calls MPS's own convolutions.
  for (const char* name : {"convolution", "convolution_backward"})
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<&run_on_queue>());
  library.impl("linear_backward", &linear_backward);
  library.impl("max_pool2d_backward", &max_pool2d_backward);
  library.impl("_scaled_dot_product_attention_math_for_mps", &attention_math);
  library.impl("scaled_dot_product_attention", &attention);
  library.impl("rms_norm", &rms_norm);
  library.impl("_convert_weight_to_int4pack", &pack_int4);
  library.impl("_weight_int4pack_mm", &multiply_int4);
}

TORCH_LIBRARY_IMPL(aten, AutogradMPS, library) {
  library.impl("scaled_dot_product_attention", &attention);
  library.impl("rms_norm", &rms_norm);
}

}  // namespace
}  // namespace mpsbench::standin
