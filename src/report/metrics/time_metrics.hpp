// The distributions of a case's step times and latencies.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Sets step_seconds and latency_seconds from the GOOD launches, or says in NOTES what is missing.
// PERCENTILES: those that are wanted besides the 90th and the 99th.
void set_times(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               const std::vector<double>& percentiles, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
