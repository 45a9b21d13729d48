#include "stats/launches_needed.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <ranges>

namespace mpsbench::stats {

namespace {

double below(double z) {
  return std::erfc(-z / std::sqrt(2.0)) / 2;
}

using Errors = std::array<double, 24>;

// Returns a chi-square quantile divided by its FREEDOM degrees, at the normal quantile Z (approximation of
// Wilson and Hilferty).
double relative_variance(double freedom, double z) {
  const double part = 2 / (9 * freedom);
  const double root = std::max(0.0, 1 - part + z * std::sqrt(part));
  return root * root * root;
}

double freedom_of(const LaunchSpread& spread, std::int64_t launches) {
  return static_cast<double>(launches - 1) * spread.balance;
}

// Returns equally likely values of the true standard error of one launch, each inverted (1/error): those at the
// midpoints of equal shares of probability.
Errors inverse_errors(const LaunchSpread& spread) {
  Errors errors{};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(errors.size());
    const double z = boost::math::quantile(boost::math::normal{}, share);
    errors[i] = std::sqrt(relative_variance(spread.freedom, z) / spread.variance);
  }
  return errors;
}

double power_of(const Errors& per_error, double freedom, const CallRule& rule, double effect, std::int64_t launches) {
  const double critical = student_factor(freedom, 1 - rule.alpha);
  const double root = std::sqrt(static_cast<double>(launches));
  double power = 0;
  for (const double one : per_error) {
    const double scale = root * one;
    // The tail of the noncentral t distribution (approximation of Jennett and Welch, 1939), less the chance
    // that the estimate stays below the threshold.
    const double called = below((effect * scale - critical * (1 - 1 / (4 * freedom))) /
                                std::sqrt(1 + critical * critical / (2 * freedom)));
    power += std::max(0.0, called - below((rule.threshold - effect) * scale));
  }
  return power / static_cast<double>(per_error.size());
}

// Returns the smallest number, at least 2, for which ENOUGH returns true. ENOUGH must also return true for
// all larger numbers.
template <typename Enough>
std::optional<std::int64_t> least(Enough enough) {
  const auto numbers = std::views::iota(std::int64_t{2}, kMostLaunchesNeeded + 1);
  const auto found = std::ranges::partition_point(numbers, std::not_fn(enough));
  return found == numbers.end() ? std::nullopt : std::optional(*found);
}

constexpr double kShareOfPairs = 0.99;

}  // namespace

std::optional<LaunchSpread> launch_spread(std::span<const double> first, std::span<const double> second) {
  const auto of_first = stddev(first);
  const auto of_second = stddev(second);
  if (!of_first && !of_second) return std::nullopt;
  const double a = of_first ? *of_first : of_second.value();
  const double b = of_second ? *of_second : of_first.value();
  const auto count_a = static_cast<double>(of_first ? first.size() : second.size());
  const auto count_b = static_cast<double>(of_second ? second.size() : first.size());
  LaunchSpread spread{a * a + b * b, count_a + count_b - 2, 2};
  if (!(spread.variance > 0)) return spread;
  const double share_a = a * a / spread.variance;
  const double share_b = b * b / spread.variance;
  spread.balance = 1 / (share_a * share_a + share_b * share_b);
  spread.freedom =
      of_first && of_second ? 1 / (share_a * share_a / (count_a - 1) + share_b * share_b / (count_b - 1)) : count_a - 1;
  return spread;
}

std::optional<LaunchSpread> pair_spread(std::span<const double> differences) {
  const auto deviation = stddev(differences);
  if (!deviation) return std::nullopt;
  return LaunchSpread{*deviation * *deviation, static_cast<double>(differences.size()) - 1, 1};
}

std::optional<std::int64_t> launches_to_call(const LaunchSpread& spread, const CallRule& rule, double effect,
                                             double power) {
  if (!(spread.variance > 0)) return 2;
  const Errors per_error = inverse_errors(spread);
  return least([&](std::int64_t launches) {
    return power_of(per_error, freedom_of(spread, launches), rule, effect, launches) >= power;
  });
}

std::optional<std::int64_t> launches_for_width(const LaunchSpread& spread, double confidence, double half_width) {
  if (!(spread.variance > 0)) return 2;
  return least([&](std::int64_t launches) {
    const double error = std::sqrt(spread.variance / static_cast<double>(launches));
    return student_factor(freedom_of(spread, launches), confidence) * error <= half_width;
  });
}

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
  return RunSpread{std::sqrt(within), std::sqrt(std::max(beyond, 0.0)), static_cast<std::int64_t>(runs.size())};
}

}  // namespace mpsbench::stats
