#include "report/compare/required_launches.hpp"

#include "report/compare/compare_verdict.hpp"
#include "stats/launches_needed.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::report {
namespace {

double variance_of(const ComparedCase& result) {
  const double deviation = stats::stddev(log_seconds(result)).value_or(0);
  return deviation * deviation;
}

// Returns how many launches AFTER needs if BEFORE gets no more. The difference is then as precise as with
// EACH launches on both sides.
std::int64_t beside(const CaseComparison& pair, std::int64_t each) {
  const auto fixed = static_cast<std::int64_t>(pair.before->launches.size());
  const std::int64_t most = kMostAgainstFixed * fixed;
  const double before = variance_of(*pair.before);
  const double seen = variance_of(*pair.after);
  if (!(before + seen > 0)) return each;
  const double after = std::max(seen, before);  // a few launches may not show the whole variance
  const double left = (before + seen) / static_cast<double>(each) - before / static_cast<double>(fixed);
  if (!(left * static_cast<double>(most) > after)) return most;
  return static_cast<std::int64_t>(std::ceil(after / left));
}

}  // namespace

RequiredLaunches required_launches(const Comparison& comparison, bool is_fixed) {
  const auto tests =
      static_cast<std::size_t>(std::count_if(comparison.cases.begin(), comparison.cases.end(),
                                             [](const CaseComparison& pair) { return pair.reason.empty(); }));
  RequiredLaunches plan;
  for (const CaseComparison& pair : comparison.cases) {
    if (!pair.reason.empty() || (is_fixed && pair.before->launches.size() < 2)) continue;
    const std::int64_t each =
        launches_to_call(pair, comparison.rules.alpha, tests).value_or(stats::kMostLaunchesNeeded);
    const std::int64_t wanted = is_fixed ? beside(pair, each) : each;
    if (wanted > static_cast<std::int64_t>(pair.after->launches.size())) plan[pair.id] = wanted;
  }
  return plan;
}

}  // namespace mpsbench::report
