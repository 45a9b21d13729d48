#include "stats/series.hpp"

#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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

// The smaller mode must have at least this share of all samples.
constexpr double kLeastShare = 0.1;
constexpr double kLeastInMode = 5;
// The modes must be this far apart, as a share: a smaller distance cannot be told from noise of +-1 %.
constexpr double kLeastDistance = 0.02;
// The smallest allowed distance between the modes, divided by the sum of their spreads. A uniform
// distribution cut in two has 1.6.
constexpr double kLeastSeparation = 3;
// The most samples in the middle third between the modes, relative to the number in the smaller mode.
constexpr double kMostBetween = 0.25;
// This share is cut off at each end before the split is searched, because outliers are not a mode.
constexpr double kClipped = 0.05;
// The series must go to the other level, back, and there again: a single change of level is a drift.
constexpr std::size_t kLeastSwitches = 3;
// The distance from the 10 % to the 90 % quantile of a normal distribution, in standard deviations.
constexpr double kSigmasBetweenTenths = 2.563;

// Returns the index of the first sample of the upper group. Chooses the split with the greatest variance
// between the groups (Otsu's method) among the splits that leave each group its minimum share.
std::size_t best_split(std::span<const double> sorted) {
  const double low = sorted_quantile(sorted, kClipped);
  const double high = sorted_quantile(sorted, 1 - kClipped);
  std::vector<double> sum{0};
  sum.reserve(sorted.size() + 1);
  for (const double sample : sorted) sum.push_back(sum.back() + std::clamp(sample, low, high));
  const auto least =
      static_cast<std::size_t>(std::ceil(std::max(kLeastInMode, kLeastShare * static_cast<double>(sorted.size()))));
  std::size_t best = least;
  double best_variance = -1;
  for (std::size_t split = least; split + least <= sorted.size(); ++split) {
    const auto below = static_cast<double>(split);
    const auto above = static_cast<double>(sorted.size() - split);
    const double distance = (sum.back() - sum[split]) / above - sum[split] / below;
    const double variance = below * above * distance * distance;
    if (variance > best_variance) {
      best_variance = variance;
      best = split;
    }
  }
  return best;
}

// Returns a standard deviation estimated from the distance between the 10 % and 90 % quantiles. A heavy tail
// counts; a single outlier does not.
double spread(std::span<const double> sorted) {
  return (sorted_quantile(sorted, 0.9) - sorted_quantile(sorted, 0.1)) / kSigmasBetweenTenths;
}

// Returns how many times the series crosses LEVEL.
std::size_t switches(std::span<const double> samples, double level) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if ((samples[i] >= level) != (samples[i - 1] >= level)) ++count;
  }
  return count;
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

bool is_bimodal(std::span<const double> samples) {
  if (samples.size() < kSamplesForModes) return false;
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t split = best_split(sorted);
  const auto lower = std::span<const double>{sorted}.first(split);
  const auto upper = std::span<const double>{sorted}.subspan(split);
  const double low = median_of(lower);
  const double high = median_of(upper);
  const double distance = high - low;
  if (!(distance > kLeastDistance * std::abs(low))) return false;
  if (distance < kLeastSeparation * (spread(lower) + spread(upper))) return false;
  const auto from = std::lower_bound(sorted.begin(), sorted.end(), low + distance / 3);
  const auto to = std::lower_bound(from, sorted.end(), high - distance / 3);
  const auto smaller = static_cast<double>(std::min(lower.size(), upper.size()));
  if (static_cast<double>(to - from) > kMostBetween * smaller) return false;
  return switches(samples, low + distance / 2) >= kLeastSwitches;
}

std::optional<double> median_slope(std::span<const double> x, std::span<const double> y) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[j] != x[i]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    }
  }
  return median(slopes);
}

}  // namespace mpsbench::stats
