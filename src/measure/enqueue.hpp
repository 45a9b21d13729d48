// Measures the host's time to queue one step on an idle device. If this takes as long as the step itself, the
// host is the bottleneck.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Fills enqueue_seconds with the median of a few windows of one step. Only on asynchronous devices.
void measure_enqueue(LoopContext& context, Step& step);

}  // namespace mpsbench::measure
