// Charts of time against batch size: one for each model and mode.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Returns an empty text if no case was measured at two batch sizes.
[[nodiscard]] std::string batches_section(const PageReports& page);

}  // namespace mpsbench::output
