// How many steps a launch timed.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/launch.hpp"

#include <cstdint>

namespace mpsbench::report {

// Returns the steps of the launch's epochs if it has any, otherwise of its loop, otherwise of its windows.
// The last window is shorter if max_batches ends it. Strangers' files may contain any numbers, so the sum
// stops at the largest integer.
[[nodiscard]] std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch);

}  // namespace mpsbench::report
