// What a device does at best, as measured, and how near the cases come to it.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// A chart a ceiling of a report; empty where no report has one with a case below it.
[[nodiscard]] std::string roofline_section(const PageReports& page);

}  // namespace mpsbench::output
