// A report that is read whole, as comparing needs it.
#pragma once

#include "report/compared_report.hpp"

#include <string>

namespace mpsbench::report {

// FILE is what messages call it.
[[nodiscard]] ComparedReport compared_of(const schema::Report& report, const std::string& file);

}  // namespace mpsbench::report
