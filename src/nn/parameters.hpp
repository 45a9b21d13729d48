// Every tensor of a network's state dict: trainable parameters and buffers, in the plan's order.
#pragma once

#include "nn/named_tensor.hpp"
#include "schema/plan.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace mpsbench::nn {

class ScriptModule;

class Parameters {
 public:
  // Drawn on the CPU from SEED, then moved: every device starts equal. With FILE loaded from there instead:
  // safetensors, or the TorchScript module of a plan that runs one. Throws Error(usage) for a file that does
  // not fit.
  static Parameters draw(const schema::Plan& plan, std::int64_t seed, const c10::Device& device);
  static Parameters load(const schema::Plan& plan, const std::string& file, const c10::Device& device);

  [[nodiscard]] const std::vector<NamedTensor>& all() const { return tensors_; }
  [[nodiscard]] std::vector<at::Tensor> trainable() const;
  // Null unless the plan runs one.
  [[nodiscard]] const std::shared_ptr<ScriptModule>& module() const { return module_; }
  // Copies on the CPU, or the tensors themselves when they are there.
  [[nodiscard]] Parameters on_cpu() const;

  // For training: gradients wanted, 4-D weights in channels-last order if asked for.
  void require_gradients();
  void to_channels_last();

 private:
  std::vector<NamedTensor> tensors_;
  std::shared_ptr<ScriptModule> module_;
};

}  // namespace mpsbench::nn
