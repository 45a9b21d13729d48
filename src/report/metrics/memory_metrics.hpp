// Peaks and growth of memory, from a case's launches.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Sets them from the GOOD launches. If a quantity is missing, NOTES says why.
void set_memory(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
