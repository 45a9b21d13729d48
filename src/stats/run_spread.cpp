#include "stats/run_spread.hpp"

#include "stats/student.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::stats {
namespace {

constexpr double kShareOfPairs = 0.99;

}  // namespace

double RunSpread::between(std::int64_t before, std::int64_t after) const {
  const double launches = 1 / static_cast<double>(before) + 1 / static_cast<double>(after);
  const double deviation = std::sqrt(2 * run * run + launch * launch * launches);
  return std::expm1(student_factor(static_cast<double>(runs - 1), kShareOfPairs) * deviation);
}

std::optional<RunSpread> run_spread(std::span<const std::vector<double>> runs) {
  if (runs.size() < kRunsForSpread) return std::nullopt;
  const std::size_t launches = runs.front().size();
  std::vector<double> levels;
  double within = 0;
  for (const std::vector<double>& run : runs) {
    const auto spread = stddev(run);
    if (!spread || !std::isfinite(*spread) || run.size() != launches) return std::nullopt;
    within += *spread * *spread / static_cast<double>(runs.size());
    levels.push_back(mean_of(run));
  }
  const double of_levels = stddev(levels).value_or(0);
  const double beyond = of_levels * of_levels - within / static_cast<double>(launches);
  return RunSpread{std::sqrt(within), std::sqrt(std::max(beyond, 0.0)),
                   static_cast<std::int64_t>(runs.size())};
}

}  // namespace mpsbench::stats
