// Whole epochs, measured instead of projected. The time budget does not apply.
#pragma once

#include "measure/session.hpp"

#include <cstdint>

namespace mpsbench::measure {

// EPOCHS of them. Fills epochs, samples_seconds (windows inside the epochs), steps_per_sample and stopped_by.
// Windows are made longer than STEPS_PER_SAMPLE where there would be too many. Losses and progress come
// between epochs only: an epoch is one timed window.
void measure_epochs(Session& session, std::int64_t epochs, std::int64_t steps_per_sample);

}  // namespace mpsbench::measure
