// What doctor says about what connects several GPUs or machines, and what would slow them down.
#pragma once

#include "cli/commands/doctor_checks.hpp"

#include <vector>

namespace mpsbench::cli {

// Returns nothing if there is one GPU or none, no launcher and no MASTER_ADDR.
[[nodiscard]] std::vector<Finding> check_scaling(const DoctorFacts& facts);

}  // namespace mpsbench::cli
