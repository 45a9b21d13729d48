#include "report/compare/compare_mean.hpp"

#include "report/compare/compare_verdict.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <cstddef>
#include <map>

namespace mpsbench::report {
namespace {

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
  std::optional<stats::Difference> difference = takes_turns
                                                    ? stats::of_pairs(turn_differences(first, second))
                                                    : stats::welch(values_of(first), values_of(second));
  if (!difference) return std::nullopt;
  difference->estimate = stats::mean_of(changes);  // of all launches, including those outside complete blocks
  return to_ratio(*difference);
}

}  // namespace mpsbench::report
