// The loops of the published scripts by their own clocks, which are not ours: no warm-up, no synchronise
// before the clock is read, and in training the loss copied to the host after every step. On a device that
// works ahead of the host, a loop that reads no loss may end before its work does.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// The work's epochs, else its iterations. Fills epochs or loop_seconds, samples_seconds, steps_per_sample,
// losses and stopped_by. The first step is among the others.
void measure_as_published(LoopContext& context);

}  // namespace mpsbench::measure
