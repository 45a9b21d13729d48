// Measures one launch, from its first step to its last sample.
#pragma once

#include "measure/communication.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "measure/step_parts.hpp"
#include "measure/timer.hpp"
#include "measure/work_amount.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

namespace mpsbench::measure {

// Fills only what running steps shows: times, losses, epochs, checks of clocks, and why the launch stopped.
// If a step throws, what was measured until then stays in OUT. If LATENCY, also times steps one by one (only
// on asynchronous devices and without epochs or iterations). INPUT has the parts of STEP if its batch comes
// from host memory; they are also timed separately. AGREEMENT connects the processes that run this launch,
// all with the same case. It is alone() if there is only one.
void measure_launch(Step& step, Timer& timer, Observer& observer, Agreement& agreement, const schema::MeasureSpec& spec,
                    const WorkAmount& work, bool latency, schema::Launch& out, const InputParts* input = nullptr);

}  // namespace mpsbench::measure
