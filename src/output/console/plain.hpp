// Prints what the article's own script prints, and nothing else.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Returns one line per case: the seconds of its loop ("CPU Time: 12.3456 seconds"), "MPS device not found.",
// or why it has no time.
[[nodiscard]] std::string plain_lines(const schema::Report& report);

}  // namespace mpsbench::output
