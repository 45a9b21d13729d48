// The time of the loop that --iterations asks for.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Sets loop_seconds from the GOOD launches, or says in NOTES why there is none.
void set_loop(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
              schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
