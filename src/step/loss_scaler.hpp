// Loss scaling for fp16: small gradients would vanish in it. The same rule as torch.amp.GradScaler's
// defaults, all on the device, so that no step waits.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace mpsbench::step {

class LossScaler {
 public:
  explicit LossScaler(const c10::Device& device);

  [[nodiscard]] at::Tensor scale(const at::Tensor& loss) const;

  // Takes the scale off PARAMETERS' gradients and notes whether any is not finite.
  void unscale(const std::vector<at::Tensor>& parameters);

  // 1 when the gradients just unscaled are not all finite, else 0: the optimizer then leaves the parameters
  // alone.
  [[nodiscard]] const at::Tensor& found_infinite() const { return found_infinite_; }

  // After the optimizer: halves the scale or, after many good steps, doubles it.
  void update();

 private:
  at::Tensor scale_, growth_, found_infinite_;
};

}  // namespace mpsbench::step
