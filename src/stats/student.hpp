// Student's t distribution, two-sided.
#pragma once

namespace mpsbench::stats {

// With probability CONFIDENCE (between 0 and 1), a t value of FREEDOM (> 0) degrees lies within plus or minus
// this factor.
[[nodiscard]] double student_factor(double freedom, double confidence);

// Returns the chance that a t value lies below -|T| or above |T|.
[[nodiscard]] double student_two_sided(double freedom, double t);

}  // namespace mpsbench::stats
