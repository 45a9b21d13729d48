#include "run/comparison_outcome.hpp"

#include <cstdint>
#include <utility>

namespace mpsbench::run {

using report::Verdict;

std::vector<std::string> notes_of(report::Comparability found, bool force) {
  if (!found.obstacles.empty() && !force)
    throw base::Error(
        base::ErrorKind::not_comparable,
        "the reports cannot be compared: " + found.obstacles.front() + "; --force compares them anyway");
  found.obstacles.insert(found.obstacles.end(), found.caveats.begin(), found.caveats.end());
  return std::move(found.obstacles);
}

base::ExitCode comparison_outcome(const report::Comparison& comparison, const FailOn& fail_on) {
  const std::int64_t left_out = comparison.count(Verdict::not_compared);
  if (left_out == static_cast<std::int64_t>(comparison.cases.size())) return base::ExitCode::not_comparable;
  const bool regression = fail_on.regression && comparison.count(Verdict::slower) > 0;
  const bool open = fail_on.undecided && comparison.count(Verdict::undecided) + left_out > 0;
  return regression || open ? base::ExitCode::regression : base::ExitCode::ok;
}

}  // namespace mpsbench::run
