// Measures throughput: steps are queued back to back, as in real training, and timed in windows.
#pragma once

#include "measure/loop_context.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::measure {

// Fills samples_seconds, steps_per_sample, stopped_by and unmet. Without STEPS_PER_SAMPLE, the first sample
// shows how many steps are enough. Runs at least one window, then stops when the stopping rule says so or at
// DEADLINE_SECONDS (on the clock of the context's now_seconds()).
void measure_throughput(LoopContext& context, std::optional<std::int64_t> steps_per_sample,
                        double deadline_seconds);

}  // namespace mpsbench::measure
