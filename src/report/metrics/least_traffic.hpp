// The minimum number of bytes that a step moves, which places it on a roofline.
#pragma once

#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <optional>

namespace mpsbench::report {

// Counts what must pass through the memory once: weights and inputs are read; in training the new weights are
// also written, and the activations that the backward pass needs are written and read, in the case's
// precision. This is computed from the network's plan, not measured.
[[nodiscard]] double least_step_bytes(const schema::NetworkPlan& plan, const schema::CaseSpec& spec);

// Returns the same from the definition in RUN, or nullopt if RUN has no definition or the network cannot be
// counted.
[[nodiscard]] std::optional<double> least_step_bytes(const schema::RunInfo& run,
                                                     const schema::CaseResult& result);

}  // namespace mpsbench::report
