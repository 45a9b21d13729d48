#include "nn/quantization.hpp"

#include "base/units.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <vector>

namespace mpsbench::nn {

namespace {

constexpr std::int64_t kZeroPoint = 8;  // the number of 4 bits that stands for a group's own zero

struct Numbers {
  at::Tensor whole;   // [rows, groups, group]
  at::Tensor scales;  // [rows, groups, 1]
  at::Tensor zeros;   // the same; undefined for 8 bits
};

// Rounded to the type in which scales are stored, so that numbers fit the scales that a kernel reads.
at::Tensor as_stored(const at::Tensor& scales, at::ScalarType type) {
  return scales.to(type).to(at::kFloat);
}

// On the CPU, so that all devices get the same numbers.
Numbers numbers_of(const at::Tensor& weight, const schema::Quantization& how) {
  constexpr double kLeastScale = 1e-8;  // of a row of zeros
  const at::ScalarType type = weight.scalar_type();
  const at::Tensor groups = weight.to(at::kCPU, at::kFloat).contiguous().view({weight.size(0), -1, how.group});
  Numbers numbers;
  if (how.bits == 8) {
    numbers.scales = as_stored((groups.abs().amax(-1, true) / 127).clamp_min(kLeastScale), type);
    numbers.whole = (groups / numbers.scales).round().clamp(-127, 127);
    return numbers;
  }
  const at::Tensor least = groups.amin(-1, true);
  const at::Tensor scales = ((groups.amax(-1, true) - least) / 15).clamp_min(kLeastScale);
  numbers.scales = as_stored(scales, type);
  numbers.zeros = as_stored(least + scales * kZeroPoint, type);
  numbers.whole = ((groups - numbers.zeros) / numbers.scales + kZeroPoint).round().clamp(0, 15);
  return numbers;
}

// The kernel for GPUs reads tiles of 16 times so many columns.
std::int64_t inner_tiles(std::int64_t columns) {
  for (const std::int64_t tiles : {8, 4}) {
    if (columns % (16 * tiles) == 0) return tiles;
  }
  return 2;
}

at::Tensor packed_int4(const at::Tensor& whole, const c10::Device& device) {
  const std::int64_t tiles = inner_tiles(whole.size(1));
  if (device.is_cpu()) return at::_convert_weight_to_int4pack_for_cpu(whole.to(at::kInt), tiles);
  const at::Tensor pairs = whole.to(at::kByte).view({whole.size(0), -1, 2});
  const at::Tensor bytes = pairs.select(2, 0) * 16 + pairs.select(2, 1);
  return at::_convert_weight_to_int4pack(bytes.to(device), tiles);
}

}  // namespace

QuantizedWeight quantize(const at::Tensor& weight, const schema::Quantization& how, const c10::Device& device) {
  const at::NoGradGuard no_grad;
  const Numbers numbers = numbers_of(weight, how);
  const auto stored = [&](const at::Tensor& scales) { return scales.contiguous().to(device, weight.scalar_type()); };
  const at::Tensor whole = numbers.whole.reshape(weight.sizes());
  if (how.bits == 8) return {whole.to(at::kChar).to(device), stored(numbers.scales.reshape({-1}))};
  const at::Tensor pairs = at::cat({numbers.scales, numbers.zeros}, -1).transpose(0, 1);
  return {packed_int4(whole, device), stored(pairs)};
}

at::Tensor dequantized(const at::Tensor& weight, const schema::Quantization& how) {
  const Numbers numbers = numbers_of(weight, how);
  const at::Tensor values =
      how.bits == 8 ? numbers.whole * numbers.scales : (numbers.whole - kZeroPoint) * numbers.scales + numbers.zeros;
  return values.reshape(weight.sizes());
}

at::Tensor quantized_linear(const at::Tensor& x, const QuantizedWeight& weight, const schema::Quantization& how) {
  const at::Tensor rows = x.reshape({-1, x.size(-1)}).contiguous();
  const auto product = [&] {
    if (how.bits == 8) return at::_weight_int8pack_mm(rows, weight.packed, weight.scales);
    if (x.is_cpu()) return at::_weight_int4pack_mm_for_cpu(rows, weight.packed, how.group, weight.scales);
    return at::_weight_int4pack_mm(rows, weight.packed, how.group, weight.scales);
  };
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = weight.scales.size(how.bits == 8 ? 0 : 1);
  return product().reshape(shape);
}

Forward make_quantized_linear(const Node& node) {
  const auto planned = std::ranges::find(node.plan().tensors, "weight", &schema::NetworkTensor::role);
  return [how = planned->quantized.value(), weight = QuantizedWeight{node.tensor("weight"), node.scales()},
          bias = node.tensor("bias")](const Inputs& in) {
    at::Tensor y = quantized_linear(in[0], weight, how);
    const at::Tensor& added = in.size() == 2 ? in[1] : bias;
    return added.defined() ? y.add_(added) : y;
  };
}

std::string quantized_text(const schema::NetworkPlan& plan) {
  std::int64_t quantized = 0;
  std::vector<std::string> others;
  for (const schema::NetworkNode& node : plan.nodes) {
    if (node.type != "linear" && node.type != "moe") continue;
    const bool is_quantized =
        std::ranges::any_of(node.tensors, [](const auto& one) { return one.quantized.has_value(); });
    if (is_quantized) {
      ++quantized;
    } else {
      others.push_back(node.name);
    }
  }
  return base::counted(quantized, "linear layer", "linear layers") + " quantized, not " + base::join(others);
}

}  // namespace mpsbench::nn
