// Taking a batch, and nothing else: the input pipeline alone.
#pragma once

#include "data/batches.hpp"
#include "measure/step.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace mpsbench::step {

class DataStep final : public measure::Step {
 public:
  explicit DataStep(std::unique_ptr<data::Batches> batches) : batches_(std::move(batches)) {}

  void run() override { static_cast<void>(data::take_batch(*batches_)); }
  void begin_epoch() override { batches_->begin_epoch(); }
  std::optional<double> loss() override { return std::nullopt; }
  // Threads that prepare a batch each finish about together, so single ones come at once or not at all.
  [[nodiscard]] std::int64_t least_window_steps() const override { return kReadyBatches; }

 private:
  // More than a loader makes ahead.
  static constexpr std::int64_t kReadyBatches = 8;

  std::unique_ptr<data::Batches> batches_;
};

}  // namespace mpsbench::step
