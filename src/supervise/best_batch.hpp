// Finds, by trying, the smallest power of two that processes almost as many rows per second as the fastest.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace mpsbench::supervise {

struct BatchRate {
  double rows_per_second = 0;
  double half_width = 0;  // of the 95 % interval, relative
};

struct BestBatchRule {
  static constexpr double kNear = 0.98;     // of the fastest rate: this is almost as fast
  static constexpr double kGain = 1.02;     // a batch that is faster by less has gained nothing
  static constexpr int kIdleDoublings = 2;  // doublings without a gain, after which the rate has settled
  // Equal launches differ by about this much, which is more than the interval within one of them shows.
  static constexpr double kLeastDoubt = 0.03;
};

// Why no larger batch was tried.
enum class LastTrial { settled, memory, rows, time };

struct BestBatch {
  std::int64_t smallest = 0;  // the one looked for; 0: not even one row fits
  double smallest_rate = 0;   // rows per second
  std::int64_t fastest = 0;
  double fastest_rate = 0;
  LastTrial last = LastTrial::settled;
};

// Tries 1, 2, 4, ... until the rate has settled, RATE returns nullopt because the batch does not fit, the
// next batch is larger than MOST, or a step took longer than LONGEST_STEP seconds. Then tries the fastest
// once more, because the highest of many rates is too high by chance, and so each smaller batch whose
// intervals leave open whether it is near the fastest. The mean of both trials counts. Errors of RATE pass
// through.
[[nodiscard]] BestBatch find_best_batch(std::int64_t most, double longest_step,
                                        const std::function<std::optional<BatchRate>(std::int64_t)>& rate);

}  // namespace mpsbench::supervise
