#include "report/compare/compare.hpp"
#include "stats/interval.hpp"
#include "stats/launches_needed.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>

namespace mpsbench::report {

namespace {

// Whether the values of a side's launches are so close together that a tenth of the threshold covers them.
bool agree(const std::vector<double>& logs, double threshold) {
  constexpr double kShare = 0.1;
  const auto [least, most] = std::ranges::minmax(logs);
  return most - least <= kShare * threshold;
}

Verdict verdict_of(const CaseComparison& pair, double threshold, double alpha) {
  if (!pair.difference) return Verdict::undecided;
  const double change = pair.difference->estimate;
  const bool is_large = std::abs(change) > threshold;
  const bool exact = is_exact(pair);
  if (is_large && (exact || pair.adjusted_p.value_or(1) <= alpha))
    return change > 0 ? Verdict::slower : Verdict::faster;
  const double reach = std::abs(change) + (exact ? 0 : pair.difference->half_width(stats::kConfidence));
  return reach <= threshold ? Verdict::same : Verdict::undecided;
}

bool is_within_machine_spread(const CaseComparison& pair) {
  return pair.difference && pair.machine_spread &&
         std::abs(pair.difference->estimate) <= std::log1p(*pair.machine_spread);
}

using LogsByIndex = std::map<std::int64_t, double>;

LogsByIndex logs_by_index(const ComparedCase& result, schema::GatedMetric metric) {
  LogsByIndex logs;
  for (const ComparedLaunch& launch : result.launches) {
    if (const auto value = launch.value(metric)) logs[launch.index] = std::log(*value);
  }
  return logs;
}

// Returns AFTER minus BEFORE, in logarithms, for each launch index that both have. Only for launches that took turns.
std::vector<double> turn_differences(const LogsByIndex& before, const LogsByIndex& after) {
  std::vector<double> differences;
  for (const auto& [index, log] : after) {
    const auto first = before.find(index);
    if (first != before.end()) differences.push_back(log - first->second);
  }
  return differences;
}

std::vector<double> turn_differences(const CaseComparison& pair) {
  return turn_differences(logs_by_index(*pair.before, pair.metric), logs_by_index(*pair.after, pair.metric));
}

std::optional<stats::LaunchSpread> spread_of(const CaseComparison& pair) {
  if (pair.takes_turns) return stats::pair_spread(turn_differences(pair));
  return stats::launch_spread(pair.before->logs(pair.metric), pair.after->logs(pair.metric));
}

bool counts_memory(const ComparedCase& result) {
  return std::ranges::all_of(result.launches, &ComparedLaunch::counts_memory);
}

// Returns the smallest number of launches on each side that can show a p-value of ALPHA.
std::int64_t least_launches(const CaseComparison& pair, double alpha) {
  std::size_t each = 2;
  if (pair.metric != schema::GatedMetric::peak_memory) return static_cast<std::int64_t>(each);
  const auto least_p = [&] {
    return pair.takes_turns ? stats::least_sign_p(each) : stats::least_rank_sum_p(each, each);
  };
  while (least_p() > alpha) ++each;
  return static_cast<std::int64_t>(each);
}

// Returns the level of the first of Holm's tests, which is the strictest.
double strictest(double alpha, std::size_t tests) {
  return alpha / static_cast<double>(std::max<std::size_t>(tests, 1));
}

// Returns the number of launches that finds a change of kEffectThresholds times the threshold. If there are
// that many launches already, returns the number that settles the change that they show.
std::optional<std::int64_t> launches_needed(const CaseComparison& pair, double alpha, std::size_t tests) {
  const std::int64_t have = launches_at_hand(pair);
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

using Cases = std::vector<const ComparedCase*>;

// Returns, by index, the mean logarithm of each block in which all CASES have a launch.
LogsByIndex block_means(const Cases& cases) {
  struct Block {
    std::size_t launches = 0;
    double sum = 0;
  };
  std::map<std::int64_t, Block> blocks;
  for (const ComparedCase* result : cases) {
    for (const ComparedLaunch& launch : result->launches) {
      Block& block = blocks[launch.index];
      ++block.launches;
      block.sum += std::log(launch.step_seconds);
    }
  }
  LogsByIndex means;
  for (const auto& [index, block] : blocks) {
    if (block.launches == cases.size()) means[index] = block.sum / static_cast<double>(cases.size());
  }
  return means;
}

std::vector<double> values_of(const LogsByIndex& means) {
  std::vector<double> values;
  for (const auto& [index, mean] : means) values.push_back(mean);
  return values;
}

}  // namespace

bool is_exact(const CaseComparison& pair) {
  constexpr std::size_t kLeast = 2;
  if (pair.metric != schema::GatedMetric::peak_memory || !counts_memory(*pair.before) || !counts_memory(*pair.after))
    return false;
  const double threshold = std::log1p(pair.threshold);
  const std::vector<double> before = pair.before->logs(pair.metric);
  const std::vector<double> after = pair.after->logs(pair.metric);
  return std::min(before.size(), after.size()) >= kLeast && agree(before, threshold) && agree(after, threshold);
}

double p_value(const CaseComparison& pair) {
  const double by_mean = pair.difference.value().p_value();
  if (pair.metric != schema::GatedMetric::peak_memory) return by_mean;
  const double by_order = pair.takes_turns
                              ? stats::sign_p(turn_differences(pair))
                              : stats::rank_sum_p(pair.before->logs(pair.metric), pair.after->logs(pair.metric));
  return std::max(by_mean, by_order);
}

std::int64_t launches_at_hand(const CaseComparison& pair) {
  return std::min(std::ssize(pair.before->logs(pair.metric)), std::ssize(pair.after->logs(pair.metric)));
}

std::optional<stats::Difference> difference_of(const CaseComparison& pair) {
  if (pair.takes_turns) return stats::of_pairs(turn_differences(pair));
  return stats::welch(pair.before->logs(pair.metric), pair.after->logs(pair.metric));
}

Ratio to_ratio(const stats::Difference& difference) {
  const double half_width = difference.half_width(stats::kConfidence);
  return {std::exp(difference.estimate), std::exp(difference.estimate - half_width),
          std::exp(difference.estimate + half_width)};
}

std::int64_t least_launches_after(const CaseComparison& pair, double alpha, std::size_t tests, std::int64_t most) {
  std::int64_t after = 2;
  if (pair.metric != schema::GatedMetric::peak_memory) return after;
  const std::size_t before = pair.before->logs(pair.metric).size();
  const double level = strictest(alpha, tests);
  while (after < most && stats::least_rank_sum_p(before, static_cast<std::size_t>(after)) > level) ++after;
  return after;
}

std::optional<std::int64_t> launches_to_call(const CaseComparison& pair, double alpha, std::size_t tests) {
  const auto spread = spread_of(pair);
  if (!spread) return kFirstLaunches;
  const double level = strictest(alpha, tests);
  const auto by_spread = stats::launches_to_call(*spread, {std::log1p(pair.threshold), level},
                                                 std::log1p(kEffectThresholds * pair.threshold), kPower);
  if (!by_spread) return std::nullopt;
  return std::max(*by_spread, least_launches(pair, level));
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

std::optional<Ratio> geometric_mean(const std::vector<CaseComparison>& cases, bool takes_turns) {
  Cases before;
  Cases after;
  std::vector<double> changes;
  for (const CaseComparison& pair : cases) {
    if (!pair.difference || pair.metric != schema::GatedMetric::step) continue;
    before.push_back(pair.before);
    after.push_back(pair.after);
    changes.push_back(pair.difference->estimate);
  }
  if (changes.size() < 2) return std::nullopt;
  const auto first = block_means(before);
  const auto second = block_means(after);
  std::optional<stats::Difference> difference = takes_turns ? stats::of_pairs(turn_differences(first, second))
                                                            : stats::welch(values_of(first), values_of(second));
  if (!difference) return std::nullopt;
  difference->estimate = stats::mean_of(changes);  // of all launches, including those outside complete blocks
  return to_ratio(*difference);
}

}  // namespace mpsbench::report
