// Whole epochs, measured instead of projected, or a loop of so many steps. The time budget does not apply.
#pragma once

#include "measure/loop_context.hpp"

#include <cstdint>

namespace mpsbench::measure {

// Batches of an epoch between two losses that are told.
inline constexpr std::int64_t kLossPause = 100;

// Steps that a window must have at least, so that LOOPS of STEPS have no more windows than a launch may keep.
[[nodiscard]] std::int64_t least_steps_per_sample(std::int64_t steps, std::int64_t loops);

// Fills epochs or loop_seconds, samples_seconds (windows inside), steps_per_sample and stopped_by. Windows
// are made longer than STEPS_PER_SAMPLE where there would be too many. Between windows the observer is told
// how things go at most twice a second, and where it wants losses one each kLossPause batches (a multiple for
// longer windows). That is not in the time of the epoch, which is the sum of its windows.
void measure_counted(LoopContext& context, std::int64_t steps_per_sample);

}  // namespace mpsbench::measure
