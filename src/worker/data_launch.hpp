// A launch of --mode data: the input pipeline alone, without a network or a device.
#pragma once

#include "measure/observer.hpp"
#include "schema/messages.hpp"

namespace mpsbench::worker {

// A step takes one batch of the training rows, shuffled and cropped as for training; after the last one of an
// epoch the first of another. Fills LAUNCH as far as it comes. Throws Error(usage) as those who open the
// files do.
void measure_data(const schema::LaunchRequest& request, measure::Observer& observer, schema::Launch& launch);

}  // namespace mpsbench::worker
