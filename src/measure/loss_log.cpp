#include "measure/loss_log.hpp"

#include "measure/window.hpp"

#include <cmath>

namespace mpsbench::measure {

std::optional<double> finite_loss(Step& step) {
  const std::optional<double> loss = step.loss();
  return loss && std::isfinite(*loss) ? loss : std::nullopt;
}

LossLog::LossLog(std::vector<std::optional<double>>& losses) : losses_(losses) {
  losses_.reserve(static_cast<std::size_t>(kFirstSteps + kMostSamples));
}

void LossLog::after_warmup(Step& step, std::int64_t steps) {
  const bool wanted = in_first_steps();
  steps_ += steps;
  if (wanted) after_sample(step);
}

void LossLog::after_sample(Step& step) {
  const std::optional<double> loss = step.loss();
  if (loss) keep(std::isfinite(*loss) ? loss : std::nullopt);
}

void LossLog::keep(std::optional<double> loss) {
  last_ = loss;
  losses_.push_back(loss);
}

}  // namespace mpsbench::measure
