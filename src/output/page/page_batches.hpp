// Time against batch size: a chart a model and mode.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Empty where no case was measured at two batch sizes.
[[nodiscard]] std::string batches_section(const PageReports& page);

}  // namespace mpsbench::output
