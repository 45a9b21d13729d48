// The largest batch that runs, found by trying.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace mpsbench::supervise {

struct LargestBatch {
  std::int64_t fits = 0;                  // 0: not even one row
  std::optional<std::int64_t> too_large;  // fits + 1; none: even the most fits
};

// Tries FIRST (brought into 1 to MOST), doubles until a batch does not fit or MOST is reached, then bisects.
// A batch larger than one that did not fit is never tried. Throws what FITS throws.
[[nodiscard]] LargestBatch find_largest_batch(std::int64_t first, std::int64_t most,
                                              const std::function<bool(std::int64_t)>& fits);

}  // namespace mpsbench::supervise
