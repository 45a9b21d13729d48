// What the launches of a case measured.
#pragma once

#include "schema/report.hpp"

#include <vector>

namespace mpsbench::output {

// Returns the launches that count and have step times.
[[nodiscard]] std::vector<const schema::Launch*> timed_launches(const schema::CaseResult& result);

// Returns the median step of each of LAUNCHES, in seconds.
[[nodiscard]] std::vector<double> median_steps(const std::vector<const schema::Launch*>& launches);

// Returns false for a case that was not measured.
[[nodiscard]] bool has_figures(const schema::CaseResult& result);

}  // namespace mpsbench::output
