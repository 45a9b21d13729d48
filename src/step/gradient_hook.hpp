// A hook that can change gradients between the backward pass and the update.
#pragma once

#include "base/interface.hpp"

#include <ATen/core/Tensor.h>

#include <vector>

namespace mpsbench::step {

class GradientHook : public base::Interface {
 public:
  // Returns PARAMETERS in the parts in which their gradients get ready. A part can be updated before the
  // next one is ready.
  [[nodiscard]] virtual std::vector<std::vector<at::Tensor>> parts_of(
      const std::vector<at::Tensor>& parameters) const {
    return {parameters};
  }
  // Changes the gradients of PARAMETERS, the next part, in place. Frozen or unused parameters have none. In
  // fp16 the gradients still include the loss scale, and the check for non-finite values comes later. The
  // hook is called in every step for all parts, in their order, with gradients switched off, and also while a
  // graph is captured. So it may queue work but not wait.
  virtual void apply(const std::vector<at::Tensor>& parameters) = 0;
};

}  // namespace mpsbench::step
