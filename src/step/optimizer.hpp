// Optimizers that update all parameters with one fused operator, and the loss scaling of fp16. (torch::optim loops over
// the parameters, which is 4-5 times slower on the CPU.)
#pragma once

#include "schema/case_spec.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

namespace mpsbench::step {

// Applies one update, using the parameters' current gradients. Call it with gradients switched off. If
// FOUND_INFINITE is given and holds 1 (a gradient is not finite), nothing changes.
using Update = std::function<void(const std::optional<at::Tensor>& found_infinite)>;

// Makes the optimizer of SPEC for PARAMETERS. Parameters without a gradient do not change. Throws
// Error(usage) if the name is unknown.
[[nodiscard]] Update make_optimizer(const schema::OptimizerSpec& spec, std::vector<at::Tensor> parameters);

// Wraps UPDATE for a device whose fused operators ignore FOUND_INFINITE. The host waits for the value and
// skips the update itself, as torch.amp.GradScaler does for optimizers that are not fused.
[[nodiscard]] Update skipped_by_host(Update update);

// Loss scaling for fp16, in which small gradients would become zero. It follows torch.amp.GradScaler's
// defaults. Everything stays on the device, so that no step waits.
class LossScaler {
 public:
  explicit LossScaler(const c10::Device& device);

  [[nodiscard]] const at::Tensor& scale() const { return scale_; }

  // Divides the gradients of PARAMETERS by the scale, and records whether any gradient is not finite.
  void unscale(const std::vector<at::Tensor>& parameters);

  // Returns 1 if a gradient of the last unscale() was not finite, otherwise 0. If it is 1, the optimizer
  // changes nothing.
  [[nodiscard]] const at::Tensor& found_infinite() const { return found_infinite_; }

  // Call it after the optimizer. Halves the scale after an overflow, and doubles it after many good steps.
  void update();

 private:
  at::Tensor scale_, growth_, found_infinite_;
};

}  // namespace mpsbench::step
