// Every tensor of a network's state dict: trainable parameters and buffers, in the plan's order.
#pragma once

#include "nn/named_tensor.hpp"
#include "schema/network_plan.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::nn {

class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::vector<NamedTensor> tensors) : tensors_(std::move(tensors)) {}
  // Drawn on the CPU from SEED, then moved: every device starts equal.
  static Parameters draw(const schema::NetworkPlan& plan, std::int64_t seed, const c10::Device& device);
  // From a safetensors file. Throws Error(usage) for one that does not fit.
  static Parameters load(const schema::NetworkPlan& plan, const std::string& file, const c10::Device& device);

  [[nodiscard]] const std::vector<NamedTensor>& all() const { return tensors_; }
  [[nodiscard]] std::vector<at::Tensor> trainable() const;
  // Copies on the CPU, or the tensors themselves when they are there.
  [[nodiscard]] Parameters on_cpu() const;

  // For training: gradients wanted, 4-D weights in channels-last order if asked for.
  void require_gradients();
  void to_channels_last();

 private:
  std::vector<NamedTensor> tensors_;
};

}  // namespace mpsbench::nn
