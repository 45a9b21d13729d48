// The time of a loop of --iterations.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Fills loop_seconds from the GOOD launches, or NOTES with why there is none.
void set_loop(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
              schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
