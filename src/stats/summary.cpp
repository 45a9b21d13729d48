#include "stats/summary.hpp"

#include "stats/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpsbench::stats {

std::optional<double> minimum(std::span<const double> samples) {
  return samples.empty() ? std::nullopt : std::optional(std::ranges::min(samples));
}

std::optional<double> maximum(std::span<const double> samples) {
  return samples.empty() ? std::nullopt : std::optional(std::ranges::max(samples));
}

std::optional<double> mean(std::span<const double> samples) {
  return samples.empty() ? std::nullopt : std::optional(mean_of(samples));
}

double mean_of(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double median_of(std::span<const double> samples) {
  return sorted_quantile(sorted(samples), 0.5);
}

std::optional<double> median(std::span<const double> samples) {
  return quantile(samples, 0.5);
}

std::optional<double> stddev(std::span<const double> samples) {
  if (samples.size() < 2) return std::nullopt;
  const double center = mean_of(samples);
  double squares = 0;
  for (const double sample : samples) squares += (sample - center) * (sample - center);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

std::optional<double> quantile(std::span<const double> samples, double probability) {
  if (samples.empty() || !(probability >= 0 && probability <= 1)) return std::nullopt;
  return sorted_quantile(sorted(samples), probability);
}

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> values(samples.begin(), samples.end());
  std::ranges::sort(values);
  return values;
}

double sorted_quantile(std::span<const double> values, double probability) {
  const double position = std::clamp(probability, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - static_cast<double>(below));
}

std::size_t samples_for_percentile(double percent) {
  constexpr double kMostChance = 0.0013;
  const double inside = std::max(percent, 100 - percent) / 100;
  return static_cast<std::size_t>(std::ceil(std::log(kMostChance) / std::log(inside)));
}

std::optional<double> percentile(std::span<const double> samples, double percent) {
  if (samples.size() < samples_for_percentile(percent)) return std::nullopt;
  return quantile(samples, percent / 100);
}

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
std::size_t best_split(std::span<const double> values) {
  const double low = sorted_quantile(values, kClipped);
  const double high = sorted_quantile(values, 1 - kClipped);
  std::vector<double> sum{0};
  for (const double sample : values) sum.push_back(sum.back() + std::clamp(sample, low, high));
  const auto least =
      static_cast<std::size_t>(std::ceil(std::max(kLeastInMode, kLeastShare * static_cast<double>(values.size()))));
  std::size_t best = least;
  double best_variance = -1;
  for (std::size_t split = least; split + least <= values.size(); ++split) {
    const auto below = static_cast<double>(split);
    const auto above = static_cast<double>(values.size() - split);
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
double spread(std::span<const double> values) {
  return (sorted_quantile(values, 0.9) - sorted_quantile(values, 0.1)) / kSigmasBetweenTenths;
}

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
  const std::vector<double> values = sorted(samples);
  const std::size_t split = best_split(values);
  const auto lower = std::span(values).first(split);
  const auto upper = std::span(values).subspan(split);
  const double low = median_of(lower);
  const double high = median_of(upper);
  const double distance = high - low;
  if (!(distance > kLeastDistance * std::abs(low))) return false;
  if (distance < kLeastSeparation * (spread(lower) + spread(upper))) return false;
  const auto from = std::ranges::lower_bound(values, low + distance / 3);
  const auto to = std::ranges::lower_bound(values, high - distance / 3);
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
