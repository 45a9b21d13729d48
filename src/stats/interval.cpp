#include "stats/interval.hpp"

#include "stats/summary.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/policies/policy.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace mpsbench::stats {

namespace {

// long double would be three times slower and would not change any digit that is shown.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;

// If the first correlation is below this many standard errors (1/sqrt n), neighbouring samples count as
// independent. In simulations this value keeps the intervals of independent samples near their ideal width,
// and those of correlated samples at their stated coverage.
constexpr double kIndependentBelow = 0.5;

// The mean is estimated from the same samples, which lowers each correlation by about time/n. To correct for
// it, the time is raised by this many times lags/n. In simulations (AR(1) with rho 0.9, 200 samples) the
// coverage becomes 94 % instead of 92 %.
constexpr double kMeanRemoval = 3;

// Autocorrelation of the series' signs: -1, 0 or +1 if a sample is below, on or above the median.
class SideCorrelation {
 public:
  explicit SideCorrelation(std::span<const double> samples) : sides_(samples.size()) {
    const double center = median_of(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      sides_[i] = static_cast<int>(samples[i] > center) - static_cast<int>(samples[i] < center);
      sum_.push_back(sum_.back() + sides_[i]);
    }
    mean_ = sum_.back() / size();
    variance_ = covariance(0);
  }

  [[nodiscard]] bool constant() const { return !(variance_ > 0); }
  [[nodiscard]] double at(std::size_t lag) const { return covariance(lag) / variance_; }
  [[nodiscard]] double size() const { return static_cast<double>(sides_.size()); }

 private:
  [[nodiscard]] double covariance(std::size_t lag) const {
    const std::size_t pairs = sides_.size() - lag;
    int products = 0;
    for (std::size_t i = 0; i < pairs; ++i) products += sides_[i] * sides_[i + lag];
    const double both = sum_[pairs] + sum_.back() - sum_[lag];
    return (products - mean_ * both + static_cast<double>(pairs) * mean_ * mean_) / size();
  }

  std::vector<int> sides_;
  std::vector<double> sum_{0};  // sum_[i] is the sum of the first i sides
  double mean_ = 0;
  double variance_ = 0;
};

constexpr double kLeastFreedom = 3;

// A correlated series provides about n/lags independent estimates of its own variance.
double freedom_of(const Correlation& correlation, double count) {
  if (correlation.lags == 0) return count - 1;
  return std::clamp(count / static_cast<double>(correlation.lags), kLeastFreedom, count - 1);
}

bool all_finite(std::span<const double> samples) {
  return std::ranges::all_of(samples, [](double sample) { return std::isfinite(sample); });
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
  std::vector<double> logs;
  for (const double median : medians) logs.push_back(std::log(median));
  if (!all_finite(logs)) return std::nullopt;
  const auto count = static_cast<double>(logs.size());
  const double band = student_factor(count - 1, kConfidence) * stddev(logs).value_or(0) * std::sqrt(share);
  interval.low = std::min(interval.low, std::exp(mean_of(logs) - band));
  interval.high = std::max(interval.high, std::exp(mean_of(logs) + band));
  return interval;
}

}  // namespace

double student_factor(double freedom, double confidence) {
  using boost::math::complement;
  return boost::math::quantile(complement(StudentsT{freedom}, (1 - confidence) / 2));
}

double student_two_sided(double freedom, double t) {
  using boost::math::complement;
  return 2 * boost::math::cdf(complement(StudentsT{freedom}, std::abs(t)));
}

Correlation median_correlation(std::span<const double> samples) {
  if (samples.size() < 3) return {};
  const SideCorrelation correlation{samples};
  if (correlation.constant() || correlation.at(1) < kIndependentBelow / std::sqrt(correlation.size())) return {};
  double total = 0;
  double smallest = 2;
  std::size_t lags = 0;
  for (; lags + 1 < samples.size() / 2; lags += 2) {
    const double pair = correlation.at(lags) + correlation.at(lags + 1);
    if (!(pair > 0)) break;
    smallest = std::min(smallest, pair);
    total += smallest;
  }
  if (lags == 0) return {};
  const double time = std::max(1.0, 2 * total - 1);
  return {time * (1 + kMeanRemoval * static_cast<double>(lags) / correlation.size()), lags};
}

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
  const double band =
      student_factor(freedom_of(correlation, count), kConfidence) * std::sqrt(0.25 * correlation.time / count);
  const std::vector<double> values = sorted(samples);
  return MedianInterval{sorted_quantile(values, 0.5), sorted_quantile(values, 0.5 - band),
                        sorted_quantile(values, 0.5 + band)};
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
