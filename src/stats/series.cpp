#include "stats/series.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <cmath>

namespace mpsbench::stats {
namespace {

// Halves are mixed when a sample of the second exceeds one of the first with a chance between these.
constexpr double kMixedFrom = 0.25;
constexpr double kMixedTo = 0.75;

// Share of pairs in which the sample of B is the greater (Mann and Whitney), ties counting half.
double share_greater(std::span<const double> a, std::span<const double> b) {
  double wins = 0;
  for (const double x : a) {
    for (const double y : b) wins += y > x ? 1.0 : (y == x ? 0.5 : 0.0);
  }
  return wins / static_cast<double>(a.size() * b.size());
}

}  // namespace

std::optional<double> relative_drift(std::span<const double> samples) {
  if (samples.size() < kSamplesForDrift) return std::nullopt;
  const std::size_t third = samples.size() / 3;
  const auto first = median_interval(samples.first(third));
  const auto last = median_interval(samples.last(third));
  if (!first || !last || (first->high >= last->low && last->high >= first->low)) return std::nullopt;
  return (last->median - first->median) / median_of(samples);
}

bool is_settled(std::span<const double> samples, double tolerance) {
  if (samples.size() < 2) return false;
  const auto first = samples.first(samples.size() / 2);
  const auto second = samples.last(samples.size() / 2);
  const double before = median_of(first);
  if (std::abs(median_of(second) - before) <= tolerance * std::abs(before)) return true;
  const double share = share_greater(first, second);
  return share > kMixedFrom && share < kMixedTo;
}

}  // namespace mpsbench::stats
