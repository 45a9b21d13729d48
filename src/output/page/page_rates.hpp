// Rows per second of all networks and devices: one chart for each mode.
#pragma once

#include "output/page/page_rated.hpp"
#include "output/page/page_series.hpp"

#include <cstddef>
#include <string>

namespace mpsbench::output {

// Returns an empty text if no case has a time. Says how many cases are not drawn, and names those that
// failed. NAMES has the devices, so that each looks the same in all charts.
[[nodiscard]] std::string rates_section(const PageReports& page, const RatedCases& rated, SeriesNames& names);

}  // namespace mpsbench::output
