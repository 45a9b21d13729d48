// The value of one launch for each metric that a gate can judge.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/gate.hpp"
#include "schema/launch.hpp"

#include <optional>
#include <string>

namespace mpsbench::report {

struct LaunchValue {
  std::optional<double> value;  // above 0, in the unit of the report's metric
  std::string why_missing;      // and what to do about it
};

// The median time of a step, the 99th percentile of its latency, the peak memory, or the energy per row.
// Reads of SPEC only mode, device, batch size, iterations and max_batches.
[[nodiscard]] LaunchValue launch_value(schema::GatedMetric metric, const schema::CaseSpec& spec,
                                       const schema::Launch& launch);

}  // namespace mpsbench::report
