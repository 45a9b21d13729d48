// Keeps losses: of each of the first 20 steps, then one per window.
#pragma once

#include "measure/step.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::measure {

// Returns the loss of the last step, or nullopt if it has none or if it is not finite.
[[nodiscard]] std::optional<double> finite_loss(Step& step);

class LossLog {
 public:
  static constexpr std::int64_t kFirstSteps = 20;

  // LOSSES receives the losses; null means that a loss is not finite.
  explicit LossLog(std::vector<std::optional<double>>& losses);

  // Call this after a warm-up window of STEPS steps. Keeps its loss if it began within the first steps.
  void after_warmup(Step& step, std::int64_t steps);

  // Call this after a sample's window.
  void after_sample(Step& step);
  // Does the same with a LOSS that was read already; nullopt means that it is not finite.
  void keep(std::optional<double> loss);

  [[nodiscard]] bool in_first_steps() const { return steps_ < kFirstSteps; }
  // Whether steps have losses and some of the first steps are still to come.
  [[nodiscard]] bool wants_single_steps() const { return in_first_steps() && !losses_.empty(); }
  [[nodiscard]] std::optional<double> last() const { return last_; }

 private:
  std::vector<std::optional<double>>& losses_;
  std::int64_t steps_ = 0;
  std::optional<double> last_;
};

}  // namespace mpsbench::measure
