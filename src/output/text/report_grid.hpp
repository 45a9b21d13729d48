// A report's cases as a table for people.
#pragma once

#include "output/text/grid.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <limits>

namespace mpsbench::output {

// A row a case, of the columns that have a title; cells longer than WIDEST are cut.
[[nodiscard]] Grid report_grid(const schema::Report& report,
                               std::size_t widest = std::numeric_limits<std::size_t>::max());

}  // namespace mpsbench::output
