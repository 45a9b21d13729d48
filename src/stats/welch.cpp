#include "stats/welch.hpp"

#include "stats/student.hpp"
#include "stats/summary.hpp"

#include <cmath>

namespace mpsbench::stats {

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
  Difference difference{mean_of(second) - mean_of(first), std::sqrt(variance),
                        count_first + count_second - 2};
  if (!std::isfinite(difference.estimate) || !std::isfinite(variance)) return std::nullopt;
  if (variance > 0) {
    const double share_first = part_first / variance;
    const double share_second = part_second / variance;
    difference.freedom = 1 / (share_first * share_first / (count_first - 1) +
                              share_second * share_second / (count_second - 1));
  }
  return difference;
}

std::optional<Difference> of_pairs(std::span<const double> differences) {
  const auto spread = stddev(differences);
  if (!spread || !std::isfinite(*spread)) return std::nullopt;
  const auto count = static_cast<double>(differences.size());
  return Difference{mean_of(differences), *spread / std::sqrt(count), count - 1};
}

}  // namespace mpsbench::stats
