#include "report/compare/compare_verdict.hpp"

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

bool is_within_machine_spread(const CaseComparison& pair) {
  return pair.difference && pair.machine_spread &&
         std::abs(pair.difference->estimate) <= std::log1p(*pair.machine_spread);
}

LogsByIndex logs_by_index(const ComparedCase& result) {
  LogsByIndex logs;
  for (const ComparedLaunch& launch : result.launches) logs[launch.index] = std::log(launch.step_seconds);
  return logs;
}

std::optional<stats::LaunchSpread> spread_of(const CaseComparison& pair) {
  if (pair.takes_turns) return stats::pair_spread(turn_differences(*pair.before, *pair.after));
  return stats::launch_spread(log_seconds(*pair.before), log_seconds(*pair.after));
}

// Returns the level of the first of Holm's tests, which is the strictest.
double strictest(double alpha, std::size_t tests) {
  return alpha / static_cast<double>(std::max<std::size_t>(tests, 1));
}

// Returns the number of launches that finds a change of kEffectThresholds times the threshold. If there are
// that many launches already, returns the number that settles the change that they show.
std::optional<std::int64_t> launches_needed(const CaseComparison& pair, double alpha, std::size_t tests) {
  const auto have =
      static_cast<std::int64_t>(std::min(pair.before->launches.size(), pair.after->launches.size()));
  const auto to_call = launches_to_call(pair, alpha, tests);
  const auto spread = spread_of(pair);
  if (!spread || !to_call || *to_call > have || !pair.difference) return to_call;
  const double threshold = std::log1p(pair.threshold);
  const double change = std::abs(pair.difference->estimate);
  const auto to_settle = change > threshold
                             ? stats::launches_for_width(*spread, 1 - strictest(alpha, tests), change)
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

std::vector<double> turn_differences(const LogsByIndex& before, const LogsByIndex& after) {
  std::vector<double> differences;
  for (const auto& [index, log] : after) {
    const auto first = before.find(index);
    if (first != before.end()) differences.push_back(log - first->second);
  }
  return differences;
}

std::vector<double> turn_differences(const ComparedCase& before, const ComparedCase& after) {
  return turn_differences(logs_by_index(before), logs_by_index(after));
}

Ratio to_ratio(const stats::Difference& difference) {
  const double half_width = difference.half_width(stats::kConfidence);
  return {std::exp(difference.estimate), std::exp(difference.estimate - half_width),
          std::exp(difference.estimate + half_width)};
}

std::optional<std::int64_t> launches_to_call(const CaseComparison& pair, double alpha, std::size_t tests) {
  const auto spread = spread_of(pair);
  if (!spread) return kFirstLaunches;
  return stats::launches_to_call(*spread, {std::log1p(pair.threshold), strictest(alpha, tests)},
                                 std::log1p(kEffectThresholds * pair.threshold), kPower);
}

void decide(CaseComparison& pair, double alpha, std::size_t tests) {
  const double threshold = std::log1p(pair.threshold);
  pair.verdict = verdict_of(pair, threshold, alpha);
  if (pair.verdict != Verdict::undecided && pair.verdict != Verdict::same && is_within_machine_spread(pair)) {
    pair.verdict = Verdict::undecided;
    pair.is_machine_noise = true;
    return;
  }
  if (pair.verdict == Verdict::undecided) pair.launches_needed = launches_needed(pair, alpha, tests);
}

}  // namespace mpsbench::report
