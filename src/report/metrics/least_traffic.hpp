// How many bytes a step moves at least: what places it on a roofline.
#pragma once

#include "schema/report.hpp"

#include <optional>

namespace mpsbench::report {

// Everything once through the memory: weights and inputs read; in training also the new weights written, and
// the activations that the backward pass needs written and read, in the case's precision. Counted from the
// definition that RUN keeps, not measured; nullopt where it keeps none or the network cannot be counted.
[[nodiscard]] std::optional<double> least_step_bytes(const schema::RunInfo& run,
                                                     const schema::CaseResult& result);

}  // namespace mpsbench::report
