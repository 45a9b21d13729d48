// The difference of two means: for two sets of samples whose variances may differ (Welch 1947), or for pairs
// (Student 1908).
#pragma once

#include <optional>
#include <span>

namespace mpsbench::stats {

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

}  // namespace mpsbench::stats
