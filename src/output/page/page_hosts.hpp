// The head of a page: which machines were measured, with what and when.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

[[nodiscard]] std::string hosts_section(const PageReports& page);

}  // namespace mpsbench::output
