// Shows reports as one page for a browser: tables and charts in a single file. It has no scripts and loads
// nothing from elsewhere; its content security policy forbids both.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// REPORTS must not be empty.
[[nodiscard]] std::string to_html(const std::vector<schema::Report>& reports);

}  // namespace mpsbench::output
