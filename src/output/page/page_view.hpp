// Everything that the page's script can draw, as one JSON object: machines, cases with their figures, the
// same work on several machines with ratios, and verdicts. Every figure has its text here; the script makes
// none.
#pragma once

#include "output/page/page_answers.hpp"
#include "output/page/page_reports.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace mpsbench::output {

[[nodiscard]] nlohmann::ordered_json page_view(const PageReports& page, const std::vector<PageReference>& references);

}  // namespace mpsbench::output
