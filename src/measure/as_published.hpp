// Runs the loops of the published scripts and times them as those scripts do, unlike the rest of mpsbench:
// without warm-up, and without a synchronise before the clock is read. In training the loss is copied to the
// host after every step. On an asynchronous device, a loop that reads no loss may end before its work does.
#pragma once

#include "measure/loop_context.hpp"

namespace mpsbench::measure {

// Runs the work's epochs, or its iterations if it has no epochs. Fills epochs or loop_seconds,
// samples_seconds, steps_per_sample, losses and stopped_by. The first step is timed like all others.
void measure_as_published(LoopContext& context);

}  // namespace mpsbench::measure
