// Measures one launch, from its first step to its last sample.
#pragma once

#include "measure/communication.hpp"
#include "measure/loop_context.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "measure/step_parts.hpp"
#include "measure/timer.hpp"
#include "schema/launch.hpp"
#include "schema/measure_spec.hpp"

#include <cstdint>

namespace mpsbench::measure {

// Fills only what running steps shows: times, losses, epochs, checks of clocks, and why the launch stopped.
// If a step throws, what was measured until then stays in OUT. If LATENCY, also times steps one by one (only
// on asynchronous devices and without epochs or iterations). INPUT has the parts of STEP if its batch comes
// from host memory; they are also timed separately. AGREEMENT connects the processes that run this launch,
// all with the same case. It is alone() if there is only one.
void measure_launch(Step& step, Timer& timer, Observer& observer, Agreement& agreement, const schema::MeasureSpec& spec,
                    const WorkAmount& work, bool latency, schema::Launch& out, const InputParts* input = nullptr);

// Batches of an epoch between two reported losses.
inline constexpr std::int64_t kLossPause = 100;

// Measures whole epochs, or a loop with a given number of steps, without a time budget. Fills epochs or loop_seconds,
// samples_seconds (the windows inside), steps_per_sample and stopped_by. Windows get more than STEPS_PER_SAMPLE steps
// if there would be too many. What the observer is told between them is not in their time.
//
// The loops of the published scripts are timed as those scripts do, unlike the rest of mpsbench: without a
// synchronise before the clock is read. In training the loss is copied to the host after every step and kept.
// On an asynchronous device, a loop that reads no loss may end before its work does.
void measure_counted(LoopContext& context, std::int64_t steps_per_sample);

}  // namespace mpsbench::measure
