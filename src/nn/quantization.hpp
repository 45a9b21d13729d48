// Weights of linear layers as whole numbers, by LibTorch's own kernels.
#pragma once

#include "nn/layers.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <string>

namespace mpsbench::nn {

struct QuantizedWeight {
  at::Tensor packed;  // in the layout of the device's kernel
  at::Tensor scales;  // 8 bits: [rows]; 4 bits: [groups, rows, 2], a scale and what the number 8 stands for
};

// WEIGHT is [rows, columns]. The results are on DEVICE; scales have the weight's type.
[[nodiscard]] QuantizedWeight quantize(const at::Tensor& weight, const schema::Quantization& how,
                                       const c10::Device& device);

// Returns what the numbers of quantize() stand for, in fp32.
[[nodiscard]] at::Tensor dequantized(const at::Tensor& weight, const schema::Quantization& how);

// Returns X, [..., columns], times the transposed weight.
[[nodiscard]] at::Tensor quantized_linear(const at::Tensor& x, const QuantizedWeight& weight,
                                          const schema::Quantization& how);

// A linear layer whose weight is quantized.
[[nodiscard]] Forward make_quantized_linear(const Node& node);

// Says how many linear layers of PLAN have quantized weights, and which of them and of the experts have not.
[[nodiscard]] std::string quantized_text(const schema::NetworkPlan& plan);

}  // namespace mpsbench::nn
