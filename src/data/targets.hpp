// Class labels in the form that the loss needs.
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

  // Returns LABELS [rows] unchanged or, if the loss needs targets of the logits' shape, floats [rows,
  // classes] with 1 at the label.
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
