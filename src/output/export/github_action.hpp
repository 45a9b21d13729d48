// The list that the GitHub Action "benchmark" (benchmark-action) reads as "customSmallerIsBetter".
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// Returns the step of each case, always in milliseconds, so that a chart over commits keeps its scale. Leaves
// out cases without figures.
[[nodiscard]] std::string to_github_action(const schema::Report& report);

}  // namespace mpsbench::output
