// The time of an epoch, measured or projected from the steps.
#pragma once

#include "report/metrics/location.hpp"
#include "report/metrics/metrics.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace mpsbench::report {

// Sets epoch_seconds and, for PROJECTED epochs of training, projected_epochs_seconds from the GOOD launches,
// or says in NOTES why there is none. MEANS: of their steps, whose times are set.
void set_epochs(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good, const Means& means,
                std::optional<std::int64_t> projected, schema::Metrics& metrics, Notes& notes);

// What the network learned in its epochs: the accuracy after them.

// Sets the accuracies on each part after the last epoch to the medians over the GOOD launches. NOTES says why
// one is missing.
void set_accuracy(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes);

// The times of a whole training, as the articles' scripts print them.

// Sets training_seconds and total_seconds to the medians over the GOOD launches that evaluated what their
// epochs had taught. NOTES says why they are missing.
void set_training_times(const std::vector<const schema::Launch*>& good, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
