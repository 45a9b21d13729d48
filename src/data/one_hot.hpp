// Targets for losses that want the logits' shape.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace mpsbench::data {

// LABELS [rows] as floats [rows, CLASSES], 1 at the label.
inline at::Tensor one_hot(const at::Tensor& labels, std::int64_t classes, bool pinned) {
  const at::Tensor target = at::one_hot(labels, classes).to(at::kFloat);
  return pinned ? target.pin_memory() : target;
}

}  // namespace mpsbench::data
