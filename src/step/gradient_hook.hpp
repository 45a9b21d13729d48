// What happens to the gradients between the backward pass and the update.
#pragma once

#include "base/interface.hpp"

#include <ATen/core/Tensor.h>

#include <vector>

namespace mpsbench::step {

class GradientHook : public base::Interface {
 public:
  // Changes the gradients of PARAMETERS in place; frozen or unused ones have none. In fp16 they still bear
  // the loss scale, so that one that is not finite is found after this. Called in every step with gradients
  // switched off, and in the capture of a graph: it may queue work, but not wait for it.
  virtual void apply(const std::vector<at::Tensor>& parameters) = 0;
};

}  // namespace mpsbench::step
