// Where the time of a training step goes: forward pass, backward pass, update.
#pragma once

#include "report/metrics/metrics.hpp"

#include <vector>

namespace mpsbench::report {

// Sets forward_seconds, backward_seconds and update_seconds to the medians over the GOOD launches. NOTES says
// why they are missing.
void set_parts(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
               schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
