#include "measure/throughput.hpp"

#include "measure/stopping.hpp"

#include <algorithm>
#include <limits>

namespace mpsbench::measure {

void measure_throughput(Session& session, std::int64_t steps_per_sample, double deadline_seconds) {
  schema::Launch& out = session.out();
  const std::int64_t most = session.work().max_batches.value_or(std::numeric_limits<std::int64_t>::max());
  out.steps_per_sample = std::min(steps_per_sample, most);
  out.samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  StoppingRule rule{session.spec(), deadline_seconds, session.work().max_batches};
  Taken taken;
  std::optional<std::string> stopped_by;
  while (!stopped_by) {
    const std::int64_t steps = next_window(out.steps_per_sample, most - taken.steps);
    const Window window = session.run_sample_window(steps, out.samples_seconds);
    taken.samples = out.samples_seconds;
    taken.timed_seconds += window.seconds;
    taken.steps += steps;
    taken.now_seconds = window.end_seconds;
    stopped_by = rule.stops(taken);
  }
  out.stopped_by = *stopped_by;
  out.unmet = rule.unmet(taken);
}

}  // namespace mpsbench::measure
