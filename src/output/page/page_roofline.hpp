// The highest rates measured on a device, and how near the cases come to them.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// One chart for each ceiling of each report; empty if no ceiling has a case below it.
[[nodiscard]] std::string roofline_section(const PageReports& page);

}  // namespace mpsbench::output
