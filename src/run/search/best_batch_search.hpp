// --batch-size best: times batches in short launches and plans the smallest that is almost as fast as the
// fastest.
#pragma once

#include "run/search/batch_trials.hpp"

namespace mpsbench::run {

// Plans that batch. If not even one row fits, plans one row, so that the run records why. A batch is never
// larger than the data set.
void search_best_batch(BatchTrials& trials);

}  // namespace mpsbench::run
