// A hook that can change gradients between the backward pass and the update.
#pragma once

#include "base/interface.hpp"

#include <ATen/core/Tensor.h>

#include <vector>

namespace mpsbench::step {

class GradientHook : public base::Interface {
 public:
  // Changes the gradients of PARAMETERS in place. Frozen or unused parameters have none. In fp16 the
  // gradients still include the loss scale, and the check for non-finite values comes later. The hook is
  // called in every step, with gradients switched off, and also while a graph is captured. So it may queue
  // work but not wait.
  virtual void apply(const std::vector<at::Tensor>& parameters) = 0;
};

}  // namespace mpsbench::step
