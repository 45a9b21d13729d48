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

}  // namespace mpsbench::measure
