// One launch, from its first step to its last sample.
#pragma once

#include "measure/agreement.hpp"
#include "measure/input_times.hpp"
#include "measure/observer.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"
#include "measure/work_amount.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

namespace mpsbench::measure {

// Fills first_step_seconds, the three lists of samples, steps_per_sample, stopped_by, unmet, losses and
// epochs of OUT and leaves the rest. What was measured until then stays in OUT when a step throws. LATENCY:
// also time steps one by one (only done on asynchronous devices and without epochs). INPUT: what STEP is made
// of when its batch comes from host memory, to be timed apart (likewise). AGREEMENT: with the other processes
// that run this launch, or alone(); each must be given the same case.
void measure_launch(Step& step, Timer& timer, Observer& observer, Agreement& agreement,
                    const schema::MeasureSpec& spec, const WorkAmount& work, bool latency,
                    schema::Launch& out, const InputParts* input = nullptr);

}  // namespace mpsbench::measure
