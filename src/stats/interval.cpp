#include "stats/interval.hpp"

#include "stats/correlation.hpp"
#include "stats/student.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpsbench::stats {
namespace {

constexpr double kLeastFreedom = 3;

// A correlated series provides about n/lags independent estimates of its own variance.
double freedom_of(const Correlation& correlation, double count) {
  if (correlation.lags == 0) return count - 1;
  return std::clamp(count / static_cast<double>(correlation.lags), kLeastFreedom, count - 1);
}

bool all_finite(std::span<const double> samples) {
  return std::all_of(samples.begin(), samples.end(), [](double sample) { return std::isfinite(sample); });
}

// Returns the interval around the launches' median. The variance of the estimated quantity is SHARE times the
// variance between launches; the mean within-launch half-width is scaled in the same way.
std::optional<MedianInterval> spread_interval(std::span<const double> medians,
                                              std::span<const double> within_half_widths, double share) {
  if (medians.empty() || !all_finite(medians)) return std::nullopt;
  if (medians.size() == 1 && within_half_widths.empty()) return std::nullopt;
  const double center = median_of(medians);
  const double within = mean(within_half_widths).value_or(0) * std::sqrt(share);
  // The half-width is applied as a factor, like the spread of the logs below, so that an interval of times
  // never goes below zero.
  const double factor = center > 0 ? 1 + within / center : 1;
  MedianInterval interval{center, center / factor, center * factor};
  if (medians.size() == 1) return interval;
  std::vector<double> logs(medians.size());
  std::transform(medians.begin(), medians.end(), logs.begin(), [](double value) { return std::log(value); });
  if (!all_finite(logs)) return std::nullopt;
  const auto count = static_cast<double>(logs.size());
  const double band = student_factor(count - 1, kConfidence) * stddev(logs).value_or(0) * std::sqrt(share);
  interval.low = std::min(interval.low, std::exp(mean_of(logs) - band));
  interval.high = std::max(interval.high, std::exp(mean_of(logs) + band));
  return interval;
}

}  // namespace

double MedianInterval::relative_half_width() const {
  const double width = half_width();
  return width > 0 ? width / std::abs(median) : 0;
}

// The share of samples below the true median has mean 1/2 and variance 1/4 x time / n. The code builds a
// Student interval around this share, and its ends are the quantiles that bound the median.
std::optional<MedianInterval> median_interval(std::span<const double> samples) {
  if (samples.size() < kSamplesForInterval || !all_finite(samples)) return std::nullopt;
  const auto count = static_cast<double>(samples.size());
  const Correlation correlation = median_correlation(samples);
  const double band = student_factor(freedom_of(correlation, count), kConfidence) *
                      std::sqrt(0.25 * correlation.time / count);
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return MedianInterval{sorted_quantile(sorted, 0.5), sorted_quantile(sorted, 0.5 - band),
                        sorted_quantile(sorted, 0.5 + band)};
}

std::optional<double> mean_half_width(std::span<const double> samples) {
  if (samples.size() < kSamplesForInterval || !all_finite(samples)) return std::nullopt;
  const auto count = static_cast<double>(samples.size());
  const Correlation correlation = median_correlation(samples);
  return student_factor(freedom_of(correlation, count), kConfidence) * stddev(samples).value_or(0) *
         std::sqrt(correlation.time / count);
}

std::optional<MedianInterval> launches_interval(std::span<const double> medians,
                                                std::span<const double> within_half_widths) {
  return spread_interval(medians, within_half_widths, 1 / static_cast<double>(medians.size()));
}

std::optional<MedianInterval> next_launch_interval(std::span<const double> means,
                                                   std::span<const double> within_half_widths) {
  return spread_interval(means, within_half_widths, 2 + 1 / static_cast<double>(means.size()));
}

}  // namespace mpsbench::stats
