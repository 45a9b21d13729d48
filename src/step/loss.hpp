// The losses of training, and their scaling in fp16.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace mpsbench::step {

// Loss functions by name. They return the mean over the batch.

using Loss = at::Tensor (*)(const at::Tensor& logits, const at::Tensor& target);

// Throws Error(usage) if the name is unknown.
[[nodiscard]] Loss find_loss(const std::string& name);

// Loss scaling for fp16, in which small gradients would become zero. It follows torch.amp.GradScaler's
// defaults. Everything stays on the device, so that no step waits.
class LossScaler {
 public:
  explicit LossScaler(const c10::Device& device);

  // Returns what to multiply the loss by.
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
