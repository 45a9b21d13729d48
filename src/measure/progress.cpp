#include "measure/progress.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

namespace mpsbench::measure {

void Progress::report(std::span<const double> samples, std::optional<double> loss, double now_seconds) {
  if (last_seconds_ && now_seconds < *last_seconds_ + kPauseSeconds) return;
  last_seconds_ = now_seconds;
  schema::ProgressEvent event;
  event.samples = static_cast<std::int64_t>(samples.size());
  event.step_seconds = stats::median(samples).value_or(0);
  if (const auto interval = stats::median_interval(samples)) event.noise = interval->relative_half_width();
  event.loss = loss;
  observer_.on_progress(event);
}

}  // namespace mpsbench::measure
