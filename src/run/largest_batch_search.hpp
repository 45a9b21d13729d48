// --batch-size max: tries batches in launches of a few steps and plans the largest that runs.
#pragma once

#include "run/batch_trials.hpp"

namespace mpsbench::run {

// Plans the largest batch that runs and the next one, which ran out of memory. A batch is never larger than
// the data set.
void search_largest_batch(BatchTrials& trials);

}  // namespace mpsbench::run
