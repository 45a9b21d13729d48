// Runs a launch of --mode data: only the input pipeline, without a network or a device.
#pragma once

#include "schema/messages.hpp"
#include "worker/events.hpp"

namespace mpsbench::worker {

// A step takes one batch of the training rows, shuffled and cropped as for training. After the last batch of
// an epoch the next epoch begins. If a step throws, LAUNCH keeps what was measured until then. Throws
// Error(usage) if the files cannot be opened.
void measure_data(const schema::LaunchRequest& request, Events& events, schema::Launch& launch);

}  // namespace mpsbench::worker
