// Whether two sets of values differ: tests, and what many tests together need.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::stats {

// Tests that hold whatever the distribution of the values is. If nothing changed, all ways to share out the
// values between the two sides are equally likely.

// Returns the two-sided p-value of the rank-sum test (Wilcoxon 1945), exact also for equal values. For more
// than kMostRanked values it returns the smallest possible one, because it would take long.
inline constexpr std::size_t kMostRanked = 40;
[[nodiscard]] double rank_sum_p(std::span<const double> first, std::span<const double> second);
// Returns the smallest p-value that it can have: all values of one side are above all of the other.
[[nodiscard]] double least_rank_sum_p(std::size_t first, std::size_t second);

// Returns the two-sided p-value of the sign test of pairs, from their DIFFERENCES.
[[nodiscard]] double sign_p(std::span<const double> differences);
// Returns the smallest p-value that it can have: all differences have the same sign.
[[nodiscard]] double least_sign_p(std::size_t pairs);

// The difference of two means: for two sets of samples whose variances may differ (Welch 1947), or for pairs
// (Student 1908).
struct Difference {
  double estimate = 0;        // the mean of the second less the mean of the first
  double standard_error = 0;  // of the estimate; 0 if there is no spread
  double freedom = 1;         // degrees of freedom by Satterthwaite

  // Returns half the width of the interval around the estimate.
  [[nodiscard]] double half_width(double confidence) const;
  // Returns the two-sided p-value for the hypothesis of no difference.
  [[nodiscard]] double p_value() const;
};

// Returns nullopt if a side has fewer than two samples, or if a sample is not finite.
[[nodiscard]] std::optional<Difference> welch(std::span<const double> first, std::span<const double> second);

// Computes the difference of pairs from their DIFFERENCES (the second minus the first). Returns nullopt for
// fewer than two, or if one is not finite.
[[nodiscard]] std::optional<Difference> of_pairs(std::span<const double> differences);

// Corrects p-values when many tests are made together.

// Returns Holm's (1979) adjusted p-values, in the order of P_VALUES. If every change whose adjusted p-value
// is at most alpha is taken as real, the chance that even one of these verdicts is wrong is at most alpha,
// however the tests depend on each other.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

}  // namespace mpsbench::stats
