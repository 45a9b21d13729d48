#include "report/compare_mean.hpp"

#include "report/compare_verdict.hpp"
#include "stats/summary.hpp"

#include <cmath>
#include <cstddef>
#include <map>

namespace mpsbench::report {
namespace {

using Cases = std::vector<const ComparedCase*>;

// Of the blocks in which each of CASES has a launch.
std::vector<double> block_means(const Cases& cases) {
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
  std::vector<double> means;
  for (const auto& [index, block] : blocks) {
    if (block.launches == cases.size()) means.push_back(block.sum / static_cast<double>(cases.size()));
  }
  return means;
}

}  // namespace

std::optional<Ratio> geometric_mean(const std::vector<CaseComparison>& cases) {
  Cases before;
  Cases after;
  std::vector<double> changes;
  for (const CaseComparison& pair : cases) {
    if (!pair.difference) continue;
    before.push_back(pair.before);
    after.push_back(pair.after);
    changes.push_back(pair.difference->estimate);
  }
  if (changes.size() < 2) return std::nullopt;
  std::optional<stats::Difference> difference = stats::welch(block_means(before), block_means(after));
  if (!difference) return std::nullopt;
  difference->estimate = stats::mean_of(changes);  // of all launches, those outside whole blocks too
  return to_ratio(*difference);
}

}  // namespace mpsbench::report
