// What doctor says about environment variables.
#pragma once

#include "cli/commands/doctor_checks.hpp"
#include "cli/commands/doctor_finding.hpp"

#include <string>
#include <vector>

namespace mpsbench::cli {

// Names the variables that a report shows, and warns of each that makes networks slower. check_scaling()
// warns of NCCL's.
[[nodiscard]] std::vector<Finding> check_variables(const DoctorFacts& facts);

[[nodiscard]] bool is_of_nccl(const std::string& name);

// NAME=VALUE must make networks slower.
[[nodiscard]] Finding slow_variable(const std::string& name, const std::string& value);

}  // namespace mpsbench::cli
