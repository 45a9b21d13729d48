#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace mpsbench::stats {

std::optional<double> minimum(std::span<const double> samples) {
  if (samples.empty()) return std::nullopt;
  return *std::min_element(samples.begin(), samples.end());
}

std::optional<double> maximum(std::span<const double> samples) {
  if (samples.empty()) return std::nullopt;
  return *std::max_element(samples.begin(), samples.end());
}

std::optional<double> mean(std::span<const double> samples) {
  if (samples.empty()) return std::nullopt;
  return mean_of(samples);
}

double mean_of(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double median_of(std::span<const double> samples) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted_quantile(sorted, 0.5);
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
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted_quantile(sorted, probability);
}

double sorted_quantile(std::span<const double> sorted, double probability) {
  const double position = std::clamp(probability, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
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

}  // namespace mpsbench::stats
