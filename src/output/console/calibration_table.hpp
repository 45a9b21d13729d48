// The results of `mpsbench calibrate` for people.
#pragma once

#include "report/compare/spread_store.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns one row per case, then what the table means. Ends with a line break.
[[nodiscard]] std::string calibration_table(const std::vector<report::CalibratedCase>& cases);

}  // namespace mpsbench::output
