// Class numbers as the loss wants them.
#pragma once

#include "schema/network_plan.hpp"

#include <ATen/ATen.h>

#include <cstdint>

namespace mpsbench::data {

class Targets {
 public:
  Targets(const schema::NetworkPlan& plan, bool pinned)
      : one_hot_(plan.target_dtype != "int64"),
        classes_(one_hot_ ? plan.target_shape.back() : plan.target_high),
        pinned_(pinned) {}

  // LABELS [rows] themselves or, where the loss wants the logits' shape, floats [rows, classes] with 1 at the
  // label.
  [[nodiscard]] at::Tensor of(const at::Tensor& labels) const {
    if (!one_hot_) return labels;
    const at::Tensor target = at::one_hot(labels, classes_).to(at::kFloat);
    return pinned_ ? target.pin_memory() : target;
  }

 private:
  bool one_hot_;
  std::int64_t classes_;
  bool pinned_;
};

}  // namespace mpsbench::data
