#include "report/metrics/location.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::report {

LaunchSamples select(const std::vector<const schema::Launch*>& launches, Samples schema::Launch::* field) {
  LaunchSamples samples;
  for (const schema::Launch* launch : launches) samples.push_back(launch->*field);
  return samples;
}

Means means_of(const LaunchSamples& launches) {
  Means means;
  for (const Samples& samples : launches) {
    if (const auto mean = stats::mean(samples)) means.values.push_back(*mean);
    if (const auto half_width = stats::mean_half_width(samples)) means.half_widths.push_back(*half_width);
  }
  return means;
}

Location locate(const LaunchSamples& launches) {
  Samples medians;
  std::vector<stats::MedianInterval> intervals;
  for (const Samples& samples : launches) {
    if (const auto median = stats::median(samples)) medians.push_back(*median);
    if (const auto interval = stats::median_interval(samples)) intervals.push_back(*interval);
  }
  return locate(medians, intervals);
}

Location locate(const Samples& medians, const std::vector<stats::MedianInterval>& intervals) {
  Samples half_widths;
  for (const stats::MedianInterval& interval : intervals) half_widths.push_back(interval.half_width());
  Location location;
  location.median = stats::median(medians);
  if (!location.median) return location;
  if (medians.size() == 1) {
    if (!intervals.empty()) location.ci95 = schema::Interval{intervals.front().low, intervals.front().high};
  } else if (const auto interval = stats::launches_interval(medians, half_widths)) {
    location.ci95 = schema::Interval{interval->low, interval->high};
  }
  // The interval is centred on a mean of logarithms. Widen it if needed, so that it contains the reported
  // median.
  if (location.ci95) {
    location.ci95->low = std::min(location.ci95->low, *location.median);
    location.ci95->high = std::max(location.ci95->high, *location.median);
  }
  return location;
}

Location locate(const Means& means, decltype(stats::launches_interval)& interval_of) {
  Location location;
  if (means.values.empty()) return location;
  const double centre = stats::median_of(means.values);
  location.median = centre;
  if (const auto interval = interval_of(means.values, means.half_widths))
    location.ci95 = schema::Interval{std::min(interval->low, centre), std::max(interval->high, centre)};
  return location;
}

bool is_alike(double a, double b) {
  constexpr double kRounding = 1e-6;
  return a == b || std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b));
}

}  // namespace mpsbench::report
