// Who was measured, with what and when: the head of a page.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

[[nodiscard]] std::string hosts_section(const PageReports& page);

}  // namespace mpsbench::output
