// What the article's own script prints, and nothing else.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// A line a case: the seconds of its loop, "CPU Time: 12.3456 seconds", else "MPS device not found.", else why
// it has none.
[[nodiscard]] std::string plain_lines(const schema::Report& report);

}  // namespace mpsbench::output
