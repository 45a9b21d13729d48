// Loss functions by name, mean over the batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace mpsbench::step {

using Loss = at::Tensor (*)(const at::Tensor& logits, const at::Tensor& target);

// Throws Error(usage) for an unknown name.
[[nodiscard]] Loss find_loss(const std::string& name);

}  // namespace mpsbench::step
