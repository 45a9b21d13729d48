// The difference of two means: of samples that need not spread alike (Welch 1947), or of pairs (Student
// 1908).
#pragma once

#include <optional>
#include <span>

namespace mpsbench::stats {

struct Difference {
  double estimate = 0;        // mean of the second less mean of the first
  double standard_error = 0;  // of the estimate; 0 when nothing spreads
  double freedom = 1;         // Satterthwaite's degrees

  // Half the width of the interval around the estimate.
  [[nodiscard]] double half_width(double confidence) const;
  // Two-sided, of no difference.
  [[nodiscard]] double p_value() const;
};

// Nullopt for fewer than two samples on a side, or any that is not finite.
[[nodiscard]] std::optional<Difference> welch(std::span<const double> first, std::span<const double> second);

// Of pairs whose DIFFERENCES (the second less the first) are given. Nullopt as above.
[[nodiscard]] std::optional<Difference> of_pairs(std::span<const double> differences);

}  // namespace mpsbench::stats
