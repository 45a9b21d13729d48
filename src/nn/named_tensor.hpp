// One entry of a state dict.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace mpsbench::nn {

struct NamedTensor {
  std::string name;  // such as "features.0.weight"
  at::Tensor tensor;
  bool trainable = true;
};

}  // namespace mpsbench::nn
