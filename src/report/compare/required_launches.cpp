#include "report/compare/required_launches.hpp"

#include "report/compare/compare_verdict.hpp"
#include "stats/launches_needed.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mpsbench::report {
namespace {

double variance_of(const ComparedCase& result, schema::GatedMetric metric) {
  const double deviation = stats::stddev(log_values(result, metric)).value_or(0);
  return deviation * deviation;
}

// Returns how many launches AFTER needs if BEFORE gets no more. The difference is then as precise as with
// EACH launches on both sides. MOST is the limit.
std::int64_t beside(const CaseComparison& pair, std::int64_t each, std::int64_t most) {
  const std::int64_t fixed = most / kMostAgainstFixed;
  const double before = variance_of(*pair.before, pair.metric);
  const double seen = variance_of(*pair.after, pair.metric);
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
    if (!pair.reason.empty() || is_exact(pair) ||
        (is_fixed && log_values(*pair.before, pair.metric).size() < 2))
      continue;
    const std::int64_t each =
        launches_to_call(pair, comparison.rules.alpha, tests).value_or(stats::kMostLaunchesNeeded);
    std::int64_t wanted = each;
    if (is_fixed) {
      const std::int64_t most = kMostAgainstFixed * std::ssize(log_values(*pair.before, pair.metric));
      wanted =
          std::max(beside(pair, each, most), least_launches_after(pair, comparison.rules.alpha, tests, most));
    }
    if (wanted > std::ssize(log_values(*pair.after, pair.metric)))
      plan[pair.id] = std::max(plan[pair.id], wanted);
  }
  return plan;
}

}  // namespace mpsbench::report
