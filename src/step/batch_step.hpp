// Taking a batch, and nothing else: the input pipeline alone.
#pragma once

#include "measure/step.hpp"
#include "step/batch_source.hpp"

#include <optional>
#include <utility>

namespace mpsbench::step {

class BatchStep final : public measure::Step {
 public:
  explicit BatchStep(BatchSource source) : source_(std::move(source)) {}

  void run() override { static_cast<void>(take_batch(source_)); }
  void begin_epoch() override { source_.begin_epoch(); }
  std::optional<double> loss() override { return std::nullopt; }
  // Threads that prepare a batch each finish about together, so single ones come at once or not at all.
  [[nodiscard]] std::int64_t least_window_steps() const override { return kReadyBatches; }

 private:
  // More than a loader makes ahead.
  static constexpr std::int64_t kReadyBatches = 8;

  BatchSource source_;
};

}  // namespace mpsbench::step
