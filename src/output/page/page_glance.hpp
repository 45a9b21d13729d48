// The first thing on a page: for each report how fast its machine is, in one figure, and how that compares.
#pragma once

#include "output/page/page_rated.hpp"
#include "output/page/page_speeds.hpp"

#include <optional>
#include <string>

namespace mpsbench::output {

// The figure is the machine's fastest rate with the first of RATED's networks that it ran without a failure
// and without diverging. Machines are compared only if there are SPEEDS.
[[nodiscard]] std::string glance_section(const PageReports& page, const RatedCases& rated,
                                         const std::optional<PageSpeeds>& speeds);

}  // namespace mpsbench::output
