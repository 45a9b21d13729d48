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
                    const collective::BucketOptions& options)
      : buckets_(group, parameters, options) {}

  // While the average of a bucket is on its way, the parameters of those before it are updated.
  [[nodiscard]] std::vector<std::vector<at::Tensor>> parts_of(
      const std::vector<at::Tensor>& /*parameters*/) const override {
    return buckets_.parameters();
  }
  void apply(const std::vector<at::Tensor>& /*parameters*/) override { buckets_.finish_next(); }

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
