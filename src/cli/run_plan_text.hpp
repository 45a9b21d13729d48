// What --dry-run shows.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::cli {

// One line a case: id, launches, parameters, least memory, time budget; then the sum.
[[nodiscard]] std::string plan_text(const schema::RunRecord& record);

}  // namespace mpsbench::cli
