// The details of each case: distribution, timeline, launches and all figures.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

[[nodiscard]] std::string details_section(const PageReports& page);

}  // namespace mpsbench::output
