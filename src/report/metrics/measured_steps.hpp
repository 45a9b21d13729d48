// How many steps a launch timed.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/launch.hpp"

#include <cstdint>

namespace mpsbench::report {

// Of all its epochs, of its loop, else of its windows, the last of which is shorter when max_batches ends it.
// Strangers' files may hold any numbers: at most the largest one.
[[nodiscard]] std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch);

}  // namespace mpsbench::report
