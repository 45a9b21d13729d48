// Latency: how long one step takes when somebody waits for it. Its own question on asynchronous devices only.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Share of the launch's time that is kept for the latency loop when there is one.
inline constexpr double kLatencyShare = 0.3;

// Fills latency_samples_seconds: one step a window, by the same stopping rule as throughput, until the
// launch's end.
void measure_latency(LoopContext& context);

}  // namespace mpsbench::measure
