// Converts a report in memory to the form for comparing. It goes through the report's text, so the result is
// the same as from its file.
#pragma once

#include "report/compare/compared_report.hpp"

#include <string>

namespace mpsbench::report {

// Messages call the report FILE.
[[nodiscard]] ComparedReport compared_of(const schema::Report& report, const std::string& file);

}  // namespace mpsbench::report
