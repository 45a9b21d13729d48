// Gives all processes of a group the same gradients.
#pragma once

#include "collective/gradient_buckets.hpp"
#include "step/gradient_hook.hpp"

#include <vector>

namespace mpsbench::worker {

class AveragedGradients final : public step::GradientHook {
 public:
  // GROUP must outlive this object.
  AveragedGradients(collective::Group& group, const std::vector<at::Tensor>& parameters)
      : buckets_(group, parameters) {}

  void apply(const std::vector<at::Tensor>& /*parameters*/) override { buckets_.finish(); }

 private:
  collective::GradientBuckets buckets_;
};

}  // namespace mpsbench::worker
