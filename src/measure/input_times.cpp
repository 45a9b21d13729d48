#include "measure/input_times.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::measure {
namespace {

// Seconds a step: the median of windows of STEPS steps, as many as their share of the time allows.
double time_part(Session& session, Step& part, std::int64_t steps) {
  const double end = session.now_seconds() + InputRule::kShare * session.spec().max_time_seconds;
  std::vector<double> seconds;
  do {
    seconds.push_back(time_window(part, session.timer(), steps).seconds / static_cast<double>(steps));
  } while (std::ssize(seconds) < InputRule::kLeastWindows ||
           (session.now_seconds() < end && std::ssize(seconds) < InputRule::kMostWindows));
  return stats::median_of(seconds);
}

}  // namespace

void measure_input(Session& session, const InputParts& parts) {
  const std::int64_t most = session.work().max_batches.value_or(InputRule::kMostSteps);
  const std::int64_t steps = std::min({session.out().steps_per_sample, InputRule::kMostSteps, most});
  schema::InputTimes times;
  times.resident_step_seconds = time_part(session, *parts.resident, steps);
  (void)time_window(*parts.feed, session.timer(), InputRule::kReadyBatches);
  times.feed_seconds = time_part(session, *parts.feed, std::max(steps, InputRule::kReadyBatches));
  session.out().input_times = times;
}

}  // namespace mpsbench::measure
