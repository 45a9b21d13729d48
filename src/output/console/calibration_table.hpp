// What `mpsbench calibrate` found, for a person.
#pragma once

#include "report/compare/spread_store.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// One row a case, and what it means. Ends with a line break.
[[nodiscard]] std::string calibration_table(const std::vector<report::CalibratedCase>& cases);

}  // namespace mpsbench::output
