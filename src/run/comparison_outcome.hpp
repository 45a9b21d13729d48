// What a comparison of two reports of one machine is told with and ends with.
#pragma once

#include "base/error.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

// What is to be told beside the figures. Throws Error(not_comparable) for obstacles, unless FORCE.
[[nodiscard]] std::vector<std::string> notes_of(report::Comparability found, bool force);

struct FailOn {
  bool regression = false;
  bool undecided = false;
};

// not_comparable when no case could be compared.
[[nodiscard]] base::ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on);

}  // namespace mpsbench::run
