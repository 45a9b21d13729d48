#include "measure/input_times.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::measure {
namespace {

// Returns the seconds per step of PART: the median of as many windows of STEPS steps as its share of the time
// allows.
double time_part(LoopContext& context, Step& part, std::int64_t steps) {
  const double end = context.now_seconds() + InputRule::kShare * context.spec().max_time_seconds;
  std::vector<double> seconds;
  do {
    seconds.push_back(time_window(part, context.timer(), steps).seconds / static_cast<double>(steps));
  } while (std::ssize(seconds) < InputRule::kLeastWindows ||
           (context.now_seconds() < end && std::ssize(seconds) < InputRule::kMostWindows));
  return stats::median_of(seconds);
}

}  // namespace

void measure_input(LoopContext& context, const InputParts& parts) {
  const std::int64_t most = context.work().max_batches.value_or(InputRule::kMostSteps);
  const std::int64_t steps = std::min({context.out().steps_per_sample, InputRule::kMostSteps, most});
  schema::InputTimes times;
  times.resident_step_seconds = time_part(context, *parts.resident, steps);
  (void)time_window(*parts.feed, context.timer(), InputRule::kReadyBatches);
  times.feed_seconds = time_part(context, *parts.feed, std::max(steps, InputRule::kReadyBatches));
  context.out().input_times = times;
}

}  // namespace mpsbench::measure
