// Measures whole epochs (instead of projecting their time), or a loop with a given number of steps. The time
// budget does not apply.
#pragma once

#include "measure/loop_context.hpp"

#include <cstdint>

namespace mpsbench::measure {

// Batches of an epoch between two reported losses.
inline constexpr std::int64_t kLossPause = 100;

// Returns the fewest steps that a window must have so that LOOPS loops of STEPS steps fit into kMostSamples
// windows.
[[nodiscard]] std::int64_t least_steps_per_sample(std::int64_t steps, std::int64_t loops);

// Fills epochs or loop_seconds, samples_seconds (the windows inside), steps_per_sample and stopped_by.
// Windows get more than STEPS_PER_SAMPLE steps if there would be too many windows. Between windows the
// observer gets the progress at most twice a second. If it wants losses, it gets one every kLossPause batches
// (or a multiple, if windows are longer). The time of an epoch is the sum of its windows, so it does not
// include these reports.
void measure_counted(LoopContext& context, std::int64_t steps_per_sample);

// Runs the loops of the published scripts and times them as those scripts do, unlike the rest of mpsbench:
// without warm-up, and without a synchronise before the clock is read. In training the loss is copied to the
// host after every step. On an asynchronous device, a loop that reads no loss may end before its work does.

// Runs the work's epochs, or its iterations if it has no epochs. Fills epochs or loop_seconds,
// samples_seconds, steps_per_sample, losses and stopped_by. The first step is timed like all others.
void measure_as_published(LoopContext& context);

}  // namespace mpsbench::measure
