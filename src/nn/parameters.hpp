// All tensors of a network's state dict, that is trainable parameters and buffers, in the plan's order.
#pragma once

#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::nn {

// One entry of a state dict.
struct NamedTensor {
  std::string name;  // such as "features.0.weight"
  at::Tensor tensor;
  bool trainable = true;
};

// Writes CPU copies of TENSORS (float32, bfloat16 or int64). Throws Error(incomplete) if the file cannot be
// written.
void write_safetensors(const std::string& path, const std::vector<std::pair<std::string, at::Tensor>>& tensors);

// The name of the scales of the quantized weight NAME.
[[nodiscard]] inline std::string scales_of(const std::string& name) {
  return name + ".scales";
}

class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::vector<NamedTensor> tensors) : tensors_(std::move(tensors)) {}
  // Draws the tensors on the CPU from SEED and then moves them, so that all devices start with equal weights.
  static Parameters draw(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device) {
    return make(plan, nullptr, seed, device);
  }
  // Loads the tensors from a safetensors file, and draws those of a head that it lacks from SEED. Throws
  // Error(usage) if the file does not fit the plan.
  static Parameters load(const schema::NetworkPlan& plan, const std::string& file, std::int64_t seed,
                         const c10::Device& device) {
    return make(plan, &file, seed, device);
  }

  [[nodiscard]] const std::vector<NamedTensor>& all() const { return tensors_; }
  [[nodiscard]] std::vector<at::Tensor> trainable() const;
  // All of them without their gradients, as a package takes them.
  [[nodiscard]] std::vector<at::Tensor> detached() const;
  // Returns copies on DEVICE, which want no gradients.
  [[nodiscard]] Parameters copy(const c10::Device& device) const;

  // Switches gradients on for the trainable parameters.
  void require_gradients();
  // Reorders all 4-D tensors with fractions to channels-last.
  void to_channels_last();
  // Turns all tensors with fractions into TYPE.
  void to_type(c10::ScalarType type);
  // Moves all tensors to DEVICE. Those that PLAN quantizes become packed ones, with their scales, named by scales_of(),
  // behind them.
  void quantize(const schema::NetworkPlan& plan, const c10::Device& device);
  // Returns copies on the CPU in fp32, with what quantize() would make of the weights.
  [[nodiscard]] Parameters dequantized(const schema::NetworkPlan& plan) const;

 private:
  // Draws what FILE, which may be null, does not have.
  static Parameters make(const schema::NetworkPlan& plan, const std::string* file, std::int64_t seed,
                         const c10::Device& device);

  std::vector<NamedTensor> tensors_;
};

}  // namespace mpsbench::nn
