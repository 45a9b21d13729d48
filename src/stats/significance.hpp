// Whether two sets of values differ: tests, and what many tests together need.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::stats {

// Tests that hold whatever the distribution of the values is. If nothing changed, all ways to share out the
// values between the two sides are equally likely.

// The two-sided p-value of the rank-sum test (Wilcoxon 1945), exact also for equal values; for more than
// kMostRanked values, which would take long, the smallest possible one.
inline constexpr std::size_t kMostRanked = 40;
[[nodiscard]] double rank_sum_p(std::span<const double> first, std::span<const double> second);
// The smallest that it can be: all values of one side are above all of the other.
[[nodiscard]] double least_rank_sum_p(std::size_t first, std::size_t second);

// The two-sided p-value of the sign test of pairs, from their DIFFERENCES.
[[nodiscard]] double sign_p(std::span<const double> differences);
// The smallest that it can be: all differences have the same sign.
[[nodiscard]] double least_sign_p(std::size_t pairs);

// The difference of two means: for two sets of samples whose variances may differ (Welch 1947), or for pairs
// (Student 1908).
struct Difference {
  double estimate = 0;        // the mean of the second less the mean of the first
  double standard_error = 0;  // of the estimate; 0 if there is no spread
  double freedom = 1;         // degrees of freedom by Satterthwaite

  [[nodiscard]] double half_width(double confidence) const;
  // Two-sided, for the hypothesis of no difference.
  [[nodiscard]] double p_value() const;
};

// Nullopt if a side has fewer than two samples, or if a sample is not finite.
[[nodiscard]] std::optional<Difference> welch(std::span<const double> first, std::span<const double> second);

// Of pairs, from their DIFFERENCES (the second minus the first). Nullopt for fewer than two, or if one is not
// finite.
[[nodiscard]] std::optional<Difference> of_pairs(std::span<const double> differences);

// Holm's (1979) adjusted p-values, in the order of P_VALUES. If every change whose adjusted p-value
// is at most alpha is taken as real, the chance that even one of these verdicts is wrong is at most alpha,
// however the tests depend on each other.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace mpsbench::stats
