// Host time to queue one step on an idle device: as long as the step itself, the host is what limits it.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Fills enqueue_seconds: the median of a few windows of one step. Only on asynchronous devices.
void measure_enqueue(LoopContext& context, Step& step);

}  // namespace mpsbench::measure
