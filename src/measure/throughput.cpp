#include "measure/throughput.hpp"

#include "measure/stopping.hpp"
#include "measure/window_size.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace mpsbench::measure {

void measure_throughput(LoopContext& context, std::optional<std::int64_t> steps_per_sample,
                        double deadline_seconds) {
  schema::Launch& out = context.out();
  const std::int64_t most = context.work().max_batches.value_or(std::numeric_limits<std::int64_t>::max());
  if (steps_per_sample) out.steps_per_sample = std::min(*steps_per_sample, most);
  out.samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  StoppingRule rule{context.spec(), deadline_seconds, context.work().max_batches};
  SamplesSoFar so_far;
  std::optional<std::string> stopped_by;
  while (!stopped_by) {
    const bool is_sized = out.steps_per_sample > 0;
    std::int64_t steps = is_sized ? next_window(out.steps_per_sample, most - so_far.steps) : 0;
    const Window window = is_sized ? context.run_sample_window(steps, out.samples_seconds)
                                   : run_growing_sample(context, most, deadline_seconds);
    if (!is_sized) steps = out.steps_per_sample;
    so_far.samples = out.samples_seconds;
    so_far.timed_seconds += window.seconds;
    so_far.steps += steps;
    so_far.now_seconds = window.end_seconds;
    stopped_by = rule.stops(so_far);
  }
  out.stopped_by = *stopped_by;
  std::ranges::copy(rule.unmet(so_far), std::back_inserter(out.unmet));
}

}  // namespace mpsbench::measure
