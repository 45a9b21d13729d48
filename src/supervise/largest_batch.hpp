// Finds the largest batch that runs by trying.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace mpsbench::supervise {

struct LargestBatch {
  std::int64_t fits = 0;                  // 0: not even one row fits
  std::optional<std::int64_t> too_large;  // fits + 1; nullopt: even MOST fits
};

// Tries FIRST (clamped to 1 ... MOST), doubles until a batch does not fit or MOST is reached, then bisects.
// Never tries a batch that is larger than one that did not fit. Errors of FITS pass through.
[[nodiscard]] LargestBatch find_largest_batch(std::int64_t first, std::int64_t most,
                                              const std::function<bool(std::int64_t)>& fits);

}  // namespace mpsbench::supervise
