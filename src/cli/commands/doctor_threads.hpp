// What doctor says about threads and the CPUs that they get.
#pragma once

#include "cli/commands/doctor_checks.hpp"
#include "cli/commands/doctor_finding.hpp"

#include <vector>

namespace mpsbench::cli {

[[nodiscard]] std::vector<Finding> check_threads(const DoctorFacts& facts);

}  // namespace mpsbench::cli
