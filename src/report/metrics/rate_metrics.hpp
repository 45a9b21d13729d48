// A case's memory traffic, and its rates compared with the machine's ceiling and price. Call these after the
// rates and counts are set.
#pragma once

#include "report/metrics/metrics.hpp"

#include <optional>

namespace mpsbench::report {

// Each function sets its metric, or explains in NOTES why it is missing. LEAST_BYTES are those of a step, or
// 0 if they are unknown. FLOPS_CEILING is the peak FLOP/s of the case's device and precision.
void set_least_traffic(const schema::CaseSpec& spec, double least_bytes, schema::Metrics& metrics,
                       Notes& notes);
void set_ceiling_share(const schema::CaseSpec& spec, std::optional<double> flops_ceiling,
                       schema::Metrics& metrics, Notes& notes);
void set_value(std::optional<double> price_dollars, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
