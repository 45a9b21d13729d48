// The cases of each report with their figures and flags.
#pragma once

#include "output/page/page_reports.hpp"

#include <string>

namespace mpsbench::output {

[[nodiscard]] std::string cases_section(const PageReports& page);

// Returns a section that explains the flags of the page's cases, or an empty text if no case has a flag.
[[nodiscard]] std::string flags_section(const PageReports& page);

// Returns RESULT's failure and flags, as HTML.
[[nodiscard]] std::string remarks_html(const schema::CaseResult& result);

}  // namespace mpsbench::output
