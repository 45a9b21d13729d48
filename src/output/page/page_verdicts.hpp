// What changed between two reports of one machine, according to `mpsbench compare`.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

// Returns an empty text unless the page has two measured reports of one machine. If they cannot be compared,
// it says why.
[[nodiscard]] std::string verdicts_section(const PageReports& page);

}  // namespace mpsbench::output
