#include "model/quantization.hpp"

#include "base/error.hpp"
#include "model/sizes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace mpsbench::model {

namespace {

using schema::NetworkNode;
using schema::NetworkTensor;

// Sizes that all kernels take.
constexpr std::int64_t kRows = 16;
constexpr std::array<std::int64_t, 3> kGroups{128, 64, 32};

constexpr std::int64_t kScaleBytes = 2;

NetworkTensor* weight_of(NetworkNode& node) {
  const auto found = std::ranges::find(node.tensors, "weight", &NetworkTensor::role);
  return node.type == "linear" && found != node.tensors.end() ? &*found : nullptr;
}

std::set<std::string> shared_names(const schema::NetworkPlan& plan) {
  std::set<std::string> names;
  for (const NetworkNode& node : plan.nodes) {
    for (const NetworkTensor& tensor : node.tensors) {
      if (tensor.is_shared) names.insert(tensor.name);
    }
  }
  return names;
}

// Returns nullopt if a kernel may refuse it.
std::optional<schema::Quantization> quantization_of(std::int64_t rows, std::int64_t columns, int bits) {
  const auto* group = std::ranges::find_if(kGroups, [&](std::int64_t size) { return columns % size == 0; });
  if (rows % kRows != 0 || group == kGroups.end()) return std::nullopt;
  return schema::Quantization{.bits = bits, .group = bits == 8 ? columns : *group};
}

}  // namespace

void quantize(schema::NetworkPlan& plan, const schema::PrecisionRow& precision) {
  if (precision.weight_bits == 0) return;
  if (schema::runs_model_file(plan))
    throw base::usage_error(
        "--precision " + to_string(precision.value) +
        " quantizes the layers of a definition, which a model file does not show; use --precision " +
        to_string(schema::Precision::pure_bf16));
  const std::set<std::string> shared = shared_names(plan);
  bool is_head = true;
  bool is_any = false;
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend(); ++node) {
    NetworkTensor* weight = weight_of(*node);
    if (weight == nullptr || std::exchange(is_head, false) || shared.contains(weight->name)) continue;
    std::int64_t rows = weight->shape.at(0);
    std::int64_t columns = weight->shape.at(1);
    if (node->options.value("transposed", false)) std::swap(rows, columns);
    weight->quantized = quantization_of(rows, columns, precision.weight_bits);
    is_any = is_any || weight->quantized;
  }
  if (is_any) return;
  throw base::usage_error("--precision " + to_string(precision.value) + ": the model '" + plan.model +
                          "' has no linear layer that can be quantized; the last one is not, and others need a " +
                          "multiple of 16 rows and 32 columns; use --precision " +
                          to_string(schema::Precision::pure_bf16));
}

double stored_bytes(const NetworkTensor& tensor, const schema::PrecisionRow& precision) {
  const auto count = static_cast<double>(elements(tensor.shape).value_or(0));
  if (!tensor.quantized)
    return count * weight_share(precision) * static_cast<double>(row_of(schema::DType::float32).bytes);
  const auto& [bits, group] = *tensor.quantized;
  const double numbers_of_group = bits == 8 ? 1 : 2;  // a scale, or a scale and a zero
  return count * (static_cast<double>(bits) / 8 + numbers_of_group * kScaleBytes / static_cast<double>(group));
}

double weight_bytes(const schema::NetworkPlan& plan, const schema::PrecisionRow& precision) {
  double bytes = static_cast<double>(plan.parameter_bytes) * weight_share(precision);
  for (const NetworkNode& node : plan.nodes) {
    for (NetworkTensor tensor : node.tensors) {
      if (!tensor.quantized) continue;
      bytes += stored_bytes(tensor, precision);
      tensor.quantized.reset();
      bytes -= stored_bytes(tensor, precision);
    }
  }
  return bytes;
}

}  // namespace mpsbench::model
