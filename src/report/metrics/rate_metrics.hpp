// Compares a case's rates with the machine's ceiling and with its price. Call these after the rates and
// counts are set.
#pragma once

#include "report/metrics/metrics.hpp"

#include <optional>

namespace mpsbench::report {

// Each function sets its metric, or explains in NOTES why it is missing. FLOPS_CEILING is the peak FLOP/s of
// the case's device and precision.
void set_ceiling_share(const schema::CaseSpec& spec, std::optional<double> flops_ceiling,
                       schema::Metrics& metrics, Notes& notes);
void set_value(std::optional<double> price_dollars, schema::Metrics& metrics, Notes& notes);

}  // namespace mpsbench::report
