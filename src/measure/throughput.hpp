// Throughput: steps queued back to back, as training runs, timed in windows.
#pragma once

#include "measure/loop_context.hpp"

#include <cstdint>

namespace mpsbench::measure {

// Fills samples_seconds, steps_per_sample, stopped_by and unmet. At least one window, then until the stopping
// rule is met or DEADLINE_SECONDS (by the context's now_seconds()) has come.
void measure_throughput(LoopContext& context, std::int64_t steps_per_sample, double deadline_seconds);

}  // namespace mpsbench::measure
