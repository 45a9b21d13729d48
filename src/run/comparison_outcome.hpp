// The notes and the exit code of a comparison of two reports of one machine.
#pragma once

#include "base/error.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

// Returns the notes to show with the figures. Throws Error(not_comparable) if there are obstacles, unless
// FORCE.
[[nodiscard]] std::vector<std::string> notes_of(report::Comparability found, bool force);

struct FailOn {
  bool regression = false;
  bool undecided = false;
};

// Returns not_comparable if no case could be compared.
[[nodiscard]] base::ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on);

}  // namespace mpsbench::run
