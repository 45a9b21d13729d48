// A step that only takes a batch, to measure the input pipeline alone.
#pragma once

#include "input/data/batches.hpp"
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
  // Threads that each prepare a batch finish at about the same time. So single batches come either
  // immediately or after a long wait, and a window must have several.
  [[nodiscard]] std::int64_t least_window_steps() const override { return kReadyBatches; }

 private:
  // More batches than a loader prepares ahead.
  static constexpr std::int64_t kReadyBatches = 8;

  std::unique_ptr<data::Batches> batches_;
};

}  // namespace mpsbench::step
