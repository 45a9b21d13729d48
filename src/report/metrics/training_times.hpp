// The times of a whole training, as the articles' scripts print them.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Sets training_seconds and total_seconds to the medians over the GOOD launches that evaluated what their
// epochs had taught. NOTES says why they are missing.
void set_training_times(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics,
                        Notes& notes);

}  // namespace mpsbench::report
