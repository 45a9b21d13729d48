#include "measure/communication.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace mpsbench::measure {

namespace {

class Alone final : public Agreement {
 public:
  void take_largest(std::span<double> /*numbers*/) override {}
};

// Returns the median seconds per step of windows as long as those of the launch.
double median_step(Step& step, Timer& timer, Agreement& agreement, const schema::MeasureSpec& spec,
                   const schema::Launch& launch) {
  const std::int64_t steps = launch.steps_per_sample;
  const double window_seconds = stats::median_of(launch.samples_seconds) * static_cast<double>(steps);
  const double fitting = CommunicationRule::kShare * spec.max_time_seconds / window_seconds;
  const double windows = std::clamp(fitting, CommunicationRule::kLeastWindows, CommunicationRule::kMostWindows);
  std::vector<double> seconds;
  for (auto left = static_cast<std::int64_t>(windows); left > 0; --left) {
    double nothing = 0;
    agreement.take_largest(std::span(&nothing, 1));  // begin together
    seconds.push_back(time_window(step, timer, steps).seconds / static_cast<double>(steps));
  }
  return stats::median_of(seconds);
}

}  // namespace

Agreement& alone() {
  static Alone one;
  return one;
}

void measure_communication(Step& compute, Step& average, Timer& timer, Agreement& agreement,
                           const schema::MeasureSpec& spec, schema::Launch& launch) {
  const double own = median_step(compute, timer, agreement, spec, launch);
  std::array<double, 2> largest{own, median_step(average, timer, agreement, spec, launch)};
  agreement.take_largest(largest);
  launch.ranks.front().compute_step_seconds = own;
  schema::Communication& communication = launch.communication.emplace();
  communication.compute_step_seconds = largest[0];
  communication.average_seconds = largest[1];
}

}  // namespace mpsbench::measure
