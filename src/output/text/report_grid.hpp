// A table of a report's cases for people.
#pragma once

#include "output/text/grid.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <limits>

namespace mpsbench::output {

// Returns one row per case, with the columns that have a title. Cells longer than WIDEST are shortened.
[[nodiscard]] Grid report_grid(const schema::Report& report,
                               std::size_t widest = std::numeric_limits<std::size_t>::max());

}  // namespace mpsbench::output
