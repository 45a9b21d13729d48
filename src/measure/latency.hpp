// Measures latency: how long one step takes if the host waits for it. On synchronous devices throughput
// already answers this.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// The share of the launch's time that is reserved for the latency loop, if there is one.
inline constexpr double kLatencyShare = 0.3;

// Fills latency_samples_seconds with windows of one step. The stopping rule is that of throughput; the
// deadline is the launch's.
void measure_latency(LoopContext& context);

}  // namespace mpsbench::measure
