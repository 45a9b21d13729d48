// How many steps and rows a launch timed.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/launch.hpp"
#include "schema/metrics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// Returns the steps of the launch's epochs if it has any, otherwise of its loop, otherwise of its windows.
// The last window is shorter if max_batches ends it. Strangers' files may contain any numbers, so the sum
// stops at the largest integer.
[[nodiscard]] std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch);

// The rows of these steps. An epoch has those of the data set, even if its last batch is filled up with
// others.
[[nodiscard]] double measured_rows(const schema::CaseSpec& spec, const schema::Launch& launch);

// Returns what the rate of LAUNCHES is of: schema::kOfEpochs or kOfLoop if each measured epochs or its loop
// as a whole, otherwise kOfMedianStep.
[[nodiscard]] std::string rate_kind(const schema::CaseSpec& spec,
                                    const std::vector<const schema::Launch*>& launches);

// The launch's rows per second, by its rate_kind(); null if it timed nothing.
[[nodiscard]] std::optional<double> rows_per_second(const schema::CaseSpec& spec,
                                                    const schema::Launch& launch);

}  // namespace mpsbench::report
