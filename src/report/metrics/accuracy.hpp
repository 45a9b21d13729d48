// What the network learned in its epochs: the accuracy after them.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Sets the accuracies on each part after the last epoch to the medians over the GOOD launches. NOTES says why
// one is missing.
void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
