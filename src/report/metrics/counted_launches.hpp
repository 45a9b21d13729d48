// Which launches of a case count: the good ones or, if enough of those were undisturbed, only these.
#pragma once

#include "schema/launch.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace mpsbench::report {

// Fewer launches do not stand for a case.
inline constexpr std::ptrdiff_t kLeastUndisturbed = 3;

// Leaves of GOOD launches those that count. IS_DISTURBED tells it of one.
template <typename Launch, typename IsDisturbed>
void keep_counted(std::vector<Launch>& good, const IsDisturbed& is_disturbed) {
  if (std::ranges::count_if(good, std::not_fn(is_disturbed)) >= kLeastUndisturbed)
    std::erase_if(good, is_disturbed);
}

// Returns the launches from which the figures and flags of their case come.
[[nodiscard]] std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches);

// How many good launches a case has, and how many of them were disturbed and count.
struct LaunchCounts {
  std::size_t good = 0;
  std::size_t disturbed = 0;
  std::size_t counted = 0;
};
[[nodiscard]] LaunchCounts launch_counts(std::span<const schema::Launch> launches);

}  // namespace mpsbench::report
