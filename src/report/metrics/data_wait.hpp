// The share of a step's time that is spent waiting for its batch.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// The wait is the time that a step would save if its batch were already on the device. It is limited to twice
// the time to bring a batch: anything above that is not waiting, but noise between the two measurements.
void set_data_wait(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                   schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
