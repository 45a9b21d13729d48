// Charts of rows per second against the number of processes: one for each model and mode.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Returns an empty text if no case was measured in one process and in several.
[[nodiscard]] std::string scaling_section(const PageReports& page);

}  // namespace mpsbench::output
