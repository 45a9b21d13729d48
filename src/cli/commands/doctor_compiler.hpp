// What doctor says about the compiler of packages.
#pragma once

#include "cli/commands/doctor_checks.hpp"

namespace mpsbench::cli {

// Says whether --engine compiled can run here.
[[nodiscard]] Finding check_compiler(const DoctorFacts& facts);

}  // namespace mpsbench::cli
