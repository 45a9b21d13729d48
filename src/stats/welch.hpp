// The difference of two means whose samples need not spread alike (Welch 1947).
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

}  // namespace mpsbench::stats
