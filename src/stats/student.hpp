// Student's t distribution, both tails.
#pragma once

namespace mpsbench::stats {

// The t that a value of FREEDOM (> 0) degrees stays within with probability CONFIDENCE (between 0 and 1).
[[nodiscard]] double student_factor(double freedom, double confidence);

// The chance that it lies beyond -|T| or |T|.
[[nodiscard]] double student_two_sided(double freedom, double t);

}  // namespace mpsbench::stats
