// Reports as one page for a browser: tables and charts in a single file, without scripts and without anything
// from elsewhere, which its own policy forbids.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Of at least one report.
[[nodiscard]] std::string to_html(const std::vector<schema::Report>& reports);

}  // namespace mpsbench::output
