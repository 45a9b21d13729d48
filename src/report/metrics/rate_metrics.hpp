// A case's rates against what the machine could do, and against what it cost. Call them once rates and counts
// are there.
#pragma once

#include "report/metrics/metrics.hpp"

#include <optional>

namespace mpsbench::report {

// FLOPS_CEILING: of the case's device and precision, FLOP/s. Each fills its metric, or NOTES with why there
// is none.
void set_ceiling_share(const schema::CaseSpec& spec, std::optional<double> flops_ceiling,
                       schema::Metrics& metrics, Notes& notes);
void set_value(std::optional<double> price_dollars, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
