#include "stats/significance.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpsbench::stats {

namespace {

// Returns twice the rank of VALUE among SORTED, so that the mean rank of equal values is whole.
std::size_t doubled_rank(const std::vector<double>& sorted, double value) {
  const auto [low, high] = std::ranges::equal_range(sorted, value);
  return static_cast<std::size_t>((low - sorted.begin()) + (high - sorted.begin())) + 1;
}

// Returns, for each sum, in how many ways COUNT of RANKS add up to it.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& ranks, std::size_t count) {
  const std::size_t most = count * 2 * ranks.size();
  std::vector<std::vector<double>> ways(count + 1, std::vector<double>(most + 1));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks) {
    for (std::size_t taken = count; taken > 0; --taken) {
      for (std::size_t sum = rank; sum <= most; ++sum) ways[taken][sum] += ways[taken - 1][sum - rank];
    }
  }
  return ways[count];
}

}  // namespace

double rank_sum_p(std::span<const double> first, std::span<const double> second) {
  std::vector<double> sorted(first.begin(), first.end());
  sorted.insert(sorted.end(), second.begin(), second.end());
  if (sorted.size() > kMostRanked) return least_rank_sum_p(first.size(), second.size());
  std::ranges::sort(sorted);
  std::vector<std::size_t> ranks;
  for (const double value : sorted) ranks.push_back(doubled_rank(sorted, value));
  const auto middle = static_cast<double>(first.size() * (sorted.size() + 1));
  double sum = 0;
  for (const double value : first) sum += static_cast<double>(doubled_rank(sorted, value));
  const std::vector<double> ways = ways_by_sum(ranks, first.size());
  double all = 0;
  double as_extreme = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    all += ways[i];
    if (std::abs(static_cast<double>(i) - middle) >= std::abs(sum - middle)) as_extreme += ways[i];
  }
  return as_extreme / all;
}

double least_rank_sum_p(std::size_t first, std::size_t second) {
  double least = 2;
  for (std::size_t i = 1; i <= first; ++i) least *= static_cast<double>(i) / static_cast<double>(second + i);
  return std::min(least, 1.0);
}

double sign_p(std::span<const double> differences) {
  const auto up = std::ranges::count_if(differences, [](double one) { return one > 0; });
  const auto down = std::ranges::count_if(differences, [](double one) { return one < 0; });
  double ways = std::pow(0.5, static_cast<double>(up + down));  // of exactly i of one sign
  double p = 0;
  for (std::ptrdiff_t i = 0; i <= std::min(up, down); ++i) {
    p += 2 * ways;
    ways *= static_cast<double>(up + down - i) / static_cast<double>(i + 1);
  }
  return std::min(p, 1.0);
}

double least_sign_p(std::size_t pairs) {
  return std::min(2 * std::pow(0.5, static_cast<double>(pairs)), 1.0);
}

double Difference::half_width(double confidence) const {
  return standard_error > 0 ? student_factor(freedom, confidence) * standard_error : 0;
}

double Difference::p_value() const {
  if (standard_error > 0) return student_two_sided(freedom, estimate / standard_error);
  return estimate == 0 ? 1 : 0;
}

std::optional<Difference> welch(std::span<const double> first, std::span<const double> second) {
  const auto spread_first = stddev(first);
  const auto spread_second = stddev(second);
  if (!spread_first || !spread_second) return std::nullopt;
  const auto count_first = static_cast<double>(first.size());
  const auto count_second = static_cast<double>(second.size());
  const double part_first = *spread_first * *spread_first / count_first;
  const double part_second = *spread_second * *spread_second / count_second;
  const double variance = part_first + part_second;
  Difference difference{mean_of(second) - mean_of(first), std::sqrt(variance), count_first + count_second - 2};
  if (!std::isfinite(difference.estimate) || !std::isfinite(variance)) return std::nullopt;
  if (variance > 0) {
    const double share_first = part_first / variance;
    const double share_second = part_second / variance;
    difference.freedom =
        1 / (share_first * share_first / (count_first - 1) + share_second * share_second / (count_second - 1));
  }
  return difference;
}

std::optional<Difference> of_pairs(std::span<const double> differences) {
  const auto spread = stddev(differences);
  if (!spread || !std::isfinite(*spread)) return std::nullopt;
  const auto count = static_cast<double>(differences.size());
  return Difference{mean_of(differences), *spread / std::sqrt(count), count - 1};
}

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto left = static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, left * p_values[order[rank]]));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace mpsbench::stats
