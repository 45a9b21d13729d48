// Runs one launch: prepares it, measures, and reports.
#pragma once

#include "schema/messages.hpp"
#include "worker/channel.hpp"

namespace mpsbench::worker {

// Runs a launch of --mode data: only the input pipeline, without a network or a device.

// A step takes one batch of the training rows, shuffled and cropped as for training. After the last batch of
// an epoch the next epoch begins. If a step throws, LAUNCH keeps what was measured until then. Throws
// Error(usage) if the files cannot be opened.
void measure_data(const schema::LaunchRequest& request, Events& events, schema::Launch& launch);

// Runs the launch of REQUEST and returns the last event: the launch with all that was measured and, if it
// failed, the reason.
[[nodiscard]] schema::Event run_launch(const schema::LaunchRequest& request, Events& events);

}  // namespace mpsbench::worker
