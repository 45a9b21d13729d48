#include "stats/series.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <cmath>

namespace mpsbench::stats {
namespace {

// The two halves count as mixed if the chance that a sample of the second half exceeds one of the first is
// between these limits.
constexpr double kMixedFrom = 0.25;
constexpr double kMixedTo = 0.75;

// Returns the change from the first COUNT samples to the last COUNT, as a share of the whole median.
std::optional<double> change_between_ends(std::span<const double> samples, std::size_t count) {
  const auto first = median_interval(samples.first(count));
  const auto last = median_interval(samples.last(count));
  if (!first || !last || (first->high >= last->low && last->high >= first->low)) return std::nullopt;
  return (last->median - first->median) / median_of(samples);
}

}  // namespace

double share_greater(std::span<const double> a, std::span<const double> b) {
  double wins = 0;
  for (const double x : a) {
    for (const double y : b) wins += y > x ? 1.0 : (y == x ? 0.5 : 0.0);
  }
  return wins / static_cast<double>(a.size() * b.size());
}

std::optional<double> relative_drift(std::span<const double> samples) {
  const auto thirds = change_between_ends(samples, samples.size() / 3);
  const auto tenths = change_between_ends(samples, samples.size() / 10);
  return tenths && std::abs(*tenths) > std::abs(thirds.value_or(0)) ? tenths : thirds;
}

std::optional<double> drift_ratio(std::span<const double> samples) {
  if (samples.size() < kSamplesForDriftRatio) return std::nullopt;
  const std::size_t tenth = samples.size() / 10;
  const double first = mean_of(samples.first(tenth));
  return first > 0 ? std::optional(mean_of(samples.last(tenth)) / first) : std::nullopt;
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
