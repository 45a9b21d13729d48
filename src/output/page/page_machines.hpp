// Shows machines and devices side by side.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Returns an empty text if there is only one device.
[[nodiscard]] std::string machines_section(const PageReports& page);

}  // namespace mpsbench::output
