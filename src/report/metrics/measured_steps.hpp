// How many steps and rows a launch timed.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/launch.hpp"

#include <cstdint>
#include <optional>

namespace mpsbench::report {

// Returns the steps of the launch's epochs if it has any, otherwise of its loop, otherwise of its windows.
// The last window is shorter if max_batches ends it. Strangers' files may contain any numbers, so the sum
// stops at the largest integer.
[[nodiscard]] std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch);

// The rows of these steps. Only a last batch that is kept may have fewer than the batch size.
[[nodiscard]] double measured_rows(const schema::CaseSpec& spec, const schema::Launch& launch);

// The launch's mean seconds for as many rows as a whole batch has; null if it timed no step.
[[nodiscard]] std::optional<double> seconds_per_batch(const schema::CaseSpec& spec,
                                                      const schema::Launch& launch);

}  // namespace mpsbench::report
