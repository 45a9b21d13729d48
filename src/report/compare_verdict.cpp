#include "report/compare_verdict.hpp"

#include "stats/interval.hpp"
#include "stats/launches_needed.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::report {
namespace {

Verdict verdict_of(const CaseComparison& pair, double threshold, double alpha) {
  if (!pair.difference) return Verdict::undecided;
  const double change = pair.difference->estimate;
  const double half_width = pair.difference->half_width(stats::kConfidence);
  if (std::abs(change) > threshold && pair.adjusted_p.value_or(1) <= alpha)
    return change > 0 ? Verdict::slower : Verdict::faster;
  return std::abs(change) + half_width <= threshold ? Verdict::same : Verdict::undecided;
}

// Enough to call a change of kEffectThresholds thresholds; where the launches are so many already, enough to
// settle the change that they show. ALPHA: of the strictest of Holm's tests.
std::optional<std::int64_t> launches_needed(const CaseComparison& pair, double threshold, double effect,
                                            double alpha) {
  const std::vector<double> before = log_seconds(*pair.before);
  const std::vector<double> after = log_seconds(*pair.after);
  const auto have = static_cast<std::int64_t>(std::min(before.size(), after.size()));
  const auto spread = stats::launch_spread(before, after);
  if (!spread) return kFirstLaunches;
  const auto to_call = stats::launches_to_call(*spread, {threshold, alpha}, effect, kPower);
  if (!to_call || *to_call > have || !pair.difference) return to_call;
  const double change = std::abs(pair.difference->estimate);
  const auto to_settle = change > threshold
                             ? stats::launches_for_width(*spread, 1 - alpha, change)
                             : stats::launches_for_width(*spread, stats::kConfidence, threshold - change);
  if (!to_settle) return std::nullopt;
  return std::max(*to_settle, have + 1);
}

}  // namespace

std::vector<double> log_seconds(const ComparedCase& result) {
  std::vector<double> logs;
  logs.reserve(result.launches.size());
  for (const ComparedLaunch& launch : result.launches) logs.push_back(std::log(launch.step_seconds));
  return logs;
}

Ratio to_ratio(const stats::Difference& difference) {
  const double half_width = difference.half_width(stats::kConfidence);
  return {std::exp(difference.estimate), std::exp(difference.estimate - half_width),
          std::exp(difference.estimate + half_width)};
}

void decide(CaseComparison& pair, const CompareRules& rules, std::size_t tests) {
  const double threshold = std::log1p(rules.threshold);
  pair.verdict = verdict_of(pair, threshold, rules.alpha);
  if (pair.verdict != Verdict::undecided) return;
  const double effect = std::log1p(kEffectThresholds * rules.threshold);
  const double strictest = rules.alpha / static_cast<double>(std::max<std::size_t>(tests, 1));
  pair.launches_needed = launches_needed(pair, threshold, effect, strictest);
}

}  // namespace mpsbench::report
