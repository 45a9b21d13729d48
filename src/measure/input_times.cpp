#include "measure/input_times.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::measure {
namespace {

using Rule = InputRule;

// Seconds a step: the median of windows of STEPS steps, as many as their share of the time allows.
double time_part(Session& session, Step& part, std::int64_t steps) {
  const double end = session.now_seconds() + Rule::kShare * session.spec().max_time_seconds;
  std::vector<double> seconds;
  do {
    seconds.push_back(time_window(part, session.timer(), steps).seconds / static_cast<double>(steps));
  } while (std::ssize(seconds) < Rule::kLeastWindows ||
           (session.now_seconds() < end && std::ssize(seconds) < Rule::kMostWindows));
  return stats::median_of(seconds);
}

}  // namespace

void measure_input(Session& session, const InputParts& parts) {
  const std::int64_t most = session.work().max_batches.value_or(Rule::kMostSteps);
  const std::int64_t steps = std::min({session.out().steps_per_sample, Rule::kMostSteps, most});
  schema::InputTimes times;
  times.resident_step_seconds = time_part(session, *parts.resident, steps);
  (void)time_window(*parts.feed, session.timer(), Rule::kReadyBatches);
  times.feed_seconds = time_part(session, *parts.feed, std::max(steps, Rule::kReadyBatches));
  session.out().input_times = times;
}

}  // namespace mpsbench::measure
