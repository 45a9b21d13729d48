// What `mpsbench calibrate` found, for a person.
#pragma once

#include "stats/run_spread.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

struct CalibratedCase {
  std::string id;
  std::int64_t launches = 0;               // of a run
  std::optional<stats::RunSpread> spread;  // null: too few good launches
};

// One row a case, and what it means. Ends with a line break.
[[nodiscard]] std::string calibration_table(const std::vector<CalibratedCase>& cases);

}  // namespace mpsbench::output
