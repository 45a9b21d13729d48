// What batches from host memory cost a step.
#pragma once

#include "measure/session.hpp"

namespace mpsbench::measure {

// Two parts of a step whose batch comes from host memory.
struct InputParts {
  Step* resident = nullptr;  // the same step, its batch on the device all the time
  Step* copy = nullptr;      // the copy of one batch alone
};

// Fills input_times, from windows of steps_per_sample steps of each part in turn.
void measure_input(Session& session, const InputParts& parts);

}  // namespace mpsbench::measure
