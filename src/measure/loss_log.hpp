// Which steps' losses are kept: of the first 20 steps each, then one a window.
#pragma once

#include "measure/step.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::measure {

// Of the last step run; nullopt also when it is not finite.
[[nodiscard]] std::optional<double> finite_loss(Step& step);

class LossLog {
 public:
  static constexpr std::int64_t kFirstSteps = 20;

  // LOSSES receives them; null stands for one that is not finite.
  explicit LossLog(std::vector<std::optional<double>>& losses);

  // After a window of STEPS steps that is no sample yet: kept while the first steps last.
  void after_warmup(Step& step, std::int64_t steps);

  // After a sample's window.
  void after_sample(Step& step);
  // The same, when the loss has been read; nullopt: it is not finite.
  void keep(std::optional<double> loss);

  [[nodiscard]] bool in_first_steps() const { return steps_ < kFirstSteps; }
  // Steps have losses, and some of the first ones are still to come.
  [[nodiscard]] bool wants_single_steps() const { return in_first_steps() && !losses_.empty(); }
  [[nodiscard]] std::optional<double> last() const { return last_; }

 private:
  std::vector<std::optional<double>>& losses_;
  std::int64_t steps_ = 0;
  std::optional<double> last_;
};

}  // namespace mpsbench::measure
