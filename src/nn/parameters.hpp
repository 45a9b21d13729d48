// Every tensor of a network's state dict: trainable parameters and buffers, in the plan's order.
#pragma once

#include "schema/plan.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::nn {

struct NamedTensor {
  std::string name;  // "features.0.weight"
  at::Tensor tensor;
  bool trainable = true;
};

class Parameters {
 public:
  // Drawn on the CPU from SEED, then moved: every device starts equal. With FILE (safetensors) loaded from
  // there instead. Throws Error(usage) for a file that does not fit.
  static Parameters draw(const schema::Plan& plan, std::int64_t seed, const c10::Device& device);
  static Parameters load(const schema::Plan& plan, const std::string& file, const c10::Device& device);

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
