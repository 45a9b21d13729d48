// The output of --dry-run.
#pragma once

#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <string>
#include <vector>

namespace mpsbench::cli {

// Returns one line per case with id, launches, parameters, minimum memory and time, then the total.
[[nodiscard]] std::string plan_text(const schema::RunRecord& record);

// Returns one line for each case whose batch size must be searched first.
[[nodiscard]] std::string open_text(const std::vector<suite::OpenCase>& open);

}  // namespace mpsbench::cli
