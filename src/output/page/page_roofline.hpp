// The highest rates measured on a device, and how near the cases come to them.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Returns one chart for each ceiling of each report, or an empty text if no ceiling has a case below it.
[[nodiscard]] std::string roofline_section(const PageReports& page);

}  // namespace mpsbench::output
