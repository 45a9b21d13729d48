// A report that is in memory, as comparing needs it: by way of its text, so that it is just what its file
// gives.
#pragma once

#include "report/compare/compared_report.hpp"

#include <string>

namespace mpsbench::report {

// FILE is what messages call it.
[[nodiscard]] ComparedReport compared_of(const schema::Report& report, const std::string& file);

}  // namespace mpsbench::report
