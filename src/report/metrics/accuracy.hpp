// What the network learned in its epochs: the accuracy after them.
#pragma once

#include "report/metrics/metrics.hpp"

#include <optional>
#include <vector>

namespace mpsbench::report {

// Returns the share of the rows of PART that are classified correctly after the last epoch: the median over
// the GOOD launches. Returns nullopt if none evaluated PART.
[[nodiscard]] std::optional<double> accuracy(const std::vector<const schema::Launch*>& good,
                                             schema::DataPart part);

// Sets validation_accuracy and test_accuracy to the medians over the GOOD launches. NOTES says why one is
// missing.
void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
