#include "supervise/largest_batch.hpp"

#include <algorithm>

namespace mpsbench::supervise {

LargestBatch find_largest_batch(std::int64_t first, std::int64_t most,
                                const std::function<bool(std::int64_t)>& fits) {
  std::int64_t fitting = 0;
  std::int64_t too_large = most + 1;
  std::int64_t next = std::clamp<std::int64_t>(first, 1, most);
  while (too_large - fitting > 1) {
    (fits(next) ? fitting : too_large) = next;
    const bool doubling = too_large > most;
    next = doubling ? std::min(2 * fitting, most) : fitting + (too_large - fitting) / 2;
  }
  return {fitting, too_large > most ? std::nullopt : std::optional(too_large)};
}

}  // namespace mpsbench::supervise
