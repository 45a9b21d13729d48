// Gives all processes of a group the same gradients.
#pragma once

#include "collective/gradient_buckets.hpp"
#include "measure/step.hpp"
#include "step/gradient_hook.hpp"

#include <optional>
#include <vector>

namespace mpsbench::worker {

class AveragedGradients final : public step::GradientHook {
 public:
  // GROUP must outlive this object.
  AveragedGradients(collective::Group& group, const std::vector<at::Tensor>& parameters,
                    std::int64_t bucket_bytes)
      : buckets_(group, parameters, bucket_bytes) {}

  void apply(const std::vector<at::Tensor>& /*parameters*/) override { buckets_.finish(); }

  [[nodiscard]] collective::GradientBuckets& buckets() { return buckets_; }

 private:
  collective::GradientBuckets buckets_;
};

// Averages gradients, and nothing else.
class AverageStep final : public measure::Step {
 public:
  // BUCKETS must have averaged before, and outlive this object.
  explicit AverageStep(collective::GradientBuckets& buckets) : buckets_(&buckets) {}

  void run() override { buckets_->average_again(); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  collective::GradientBuckets* buckets_;
};

}  // namespace mpsbench::worker
