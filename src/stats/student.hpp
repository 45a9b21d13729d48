// Student's t distribution, two-sided.
#pragma once

namespace mpsbench::stats {

// Returns the factor F for which a t value of FREEDOM (> 0) degrees lies within ±F with probability
// CONFIDENCE (between 0 and 1).
[[nodiscard]] double student_factor(double freedom, double confidence);

// Returns the chance that a t value lies below -|T| or above |T|.
[[nodiscard]] double student_two_sided(double freedom, double t);

}  // namespace mpsbench::stats
