// Loss functions by name. They return the mean over the batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace mpsbench::step {

using Loss = at::Tensor (*)(const at::Tensor& logits, const at::Tensor& target);

// Throws Error(usage) if the name is unknown.
[[nodiscard]] Loss find_loss(const std::string& name);

}  // namespace mpsbench::step
