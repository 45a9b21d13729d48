// What --dry-run shows.
#pragma once

#include "schema/report.hpp"
#include "suite/plan_cases.hpp"

#include <string>
#include <vector>

namespace mpsbench::cli {

// One line a case: id, launches, parameters, least memory, time budget; then the sum.
[[nodiscard]] std::string plan_text(const schema::RunRecord& record);

// Those whose batch is yet to be found, a line each.
[[nodiscard]] std::string open_text(const std::vector<suite::OpenCase>& open);

}  // namespace mpsbench::cli
