#include "measure/progress.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <utility>

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

bool ProgressReporter::is_due(double now_seconds, std::optional<double>& last_seconds) {
  if (last_seconds && now_seconds < *last_seconds + kPauseSeconds) return false;
  last_seconds = now_seconds;
  return true;
}

void ProgressReporter::report_warmup(double now_seconds) {
  if (is_due(now_seconds, last_warmup_seconds_)) observer_.on_part();
}

void ProgressReporter::report_mean(std::size_t samples, double step_seconds, Step& step, double now_seconds) {
  if (!is_due(now_seconds, last_seconds_)) return;
  observer_.on_progress({static_cast<std::int64_t>(samples), step_seconds, std::nullopt, finite_loss(step)});
}

void ProgressReporter::report(std::span<const double> samples, std::optional<double> loss, double now_seconds) {
  if (!is_due(now_seconds, last_seconds_)) return;
  schema::ProgressEvent event;
  event.samples = static_cast<std::int64_t>(samples.size());
  event.step_seconds = stats::median(samples).value_or(0);
  if (const auto interval = stats::median_interval(samples)) event.noise = interval->relative_half_width();
  event.loss = loss;
  observer_.on_progress(event);
}

LiveMemoryLog::LiveMemoryLog(std::function<std::optional<std::int64_t>()> read, std::vector<schema::LiveBytes>& out)
    : read_(std::move(read)), out_(out) {
  out_.reserve(kMost);  // the log itself must not grow while it watches
}

void LiveMemoryLog::after_window(std::int64_t steps) {
  steps_ += steps;
  if (windows_++ % stride_ != 0) return;
  if (out_.size() == kMost) {
    for (std::size_t i = 0; 2 * i < kMost; ++i) out_[i] = out_[2 * i];
    out_.resize(kMost / 2);
    stride_ *= 2;
  }
  if (const auto bytes = read_()) out_.push_back({steps_, *bytes});
}

}  // namespace mpsbench::measure
