// Machines and devices side by side.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Empty for a single device.
[[nodiscard]] std::string machines_section(const PageReports& page);

}  // namespace mpsbench::output
