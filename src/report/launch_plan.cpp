#include "report/launch_plan.hpp"

#include "report/compare_verdict.hpp"
#include "stats/launches_needed.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::report {
namespace {

// Launches beside FIXED others that know a difference as well as EACH on both sides.
std::int64_t beside(std::int64_t fixed, std::int64_t each) {
  const double left = 2 / static_cast<double>(each) - 1 / static_cast<double>(fixed);
  const std::int64_t most = kMostAgainstFixed * fixed;
  if (!(left > 1 / static_cast<double>(most))) return most;
  return static_cast<std::int64_t>(std::ceil(1 / left));
}

}  // namespace

LaunchPlan launch_plan(const Comparison& comparison, bool is_fixed) {
  const auto tests = static_cast<std::size_t>(
      std::count_if(comparison.cases.begin(), comparison.cases.end(),
                    [](const CaseComparison& pair) { return pair.difference.has_value(); }));
  LaunchPlan plan;
  for (const CaseComparison& pair : comparison.cases) {
    if (!pair.reason.empty()) continue;
    const std::int64_t each =
        launches_to_call(pair, comparison.rules.alpha, tests).value_or(stats::kMostLaunchesNeeded);
    const auto before = static_cast<std::int64_t>(pair.before->launches.size());
    const std::int64_t wanted = is_fixed ? beside(before, each) : each;
    if (wanted > static_cast<std::int64_t>(pair.after->launches.size())) plan[pair.id] = wanted;
  }
  return plan;
}

}  // namespace mpsbench::report
