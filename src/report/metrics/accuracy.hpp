// What the epochs taught the network.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// validation_accuracy and test_accuracy: medians over the GOOD launches, or the notes that say why not.
void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
