// The share of a step's time that it waits for its batch.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// The part of a step's time that goes when its batch is on the device already. What is more than twice the
// time of bringing a batch is not waiting, but other noise between the two measurements.
void set_data_wait(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                   schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
