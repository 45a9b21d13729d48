// Tests that hold whatever the distribution of the values is. If nothing changed, all ways to share out the
// values between the two sides are equally likely.
#pragma once

#include <cstddef>
#include <span>

namespace mpsbench::stats {

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

}  // namespace mpsbench::stats
