// Finds a batch size by trying: the largest that runs, or the smallest that is almost as fast as the fastest.
#pragma once

#include "schema/run_info.hpp"

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

struct BatchRate {
  double rows_per_second = 0;
  double half_width = 0;  // of the 95 % interval, relative
};

struct BestBatchRule {
  static constexpr double kNear = 0.98;           // of the fastest rate: this is almost as fast
  static constexpr double kGain = 1.02;           // a batch that is faster by less has gained nothing
  static constexpr int kIdleDoublings = 2;        // doublings without a gain, after which the rate has settled
  static constexpr double kMaybeNear = 0.5;       // of the highest rate so far: such batches are tried again
  static constexpr int kMostDisturbed = 2;        // trials more of a batch that a disturbance may have slowed
  static constexpr std::size_t kMostTrials = 6;   // of a batch
  static constexpr int kMostDecidingTrials = 12;  // of all batches together, after each of these had two
};

// Why no larger batch was tried.
enum class LastTrial { settled, memory, rows, time };

struct BestBatch {
  std::int64_t smallest = 0;  // the one looked for; 0: not even one row fits
  double smallest_rate = 0;   // rows per second
  std::int64_t fastest = 0;
  double fastest_rate = 0;
  LastTrial last = LastTrial::settled;
  std::optional<schema::TiedBatches> tied{};  // that may be the one looked for; null if it is certain
};

// Looks for the smallest power of two that processes almost as many rows per second as the fastest. Tries 1, 2,
// 4, ... until the rate has settled, RATE returns nullopt because the batch does not fit, the next batch is
// larger than MOST, or a step took longer than LONGEST_STEP seconds. A doubling of which the trial's own
// interval leaves open whether it gained counts half. Then tries each batch of at least half of the highest
// rate, which is too high by chance, once more, and then, in turns, the fastest and those that may be near it or
// faster, until the spread of the trials tells which is the one looked for, or the trials are used up. The mean
// of a batch's trials counts. Errors of RATE pass through.
[[nodiscard]] BestBatch find_best_batch(std::int64_t most, double longest_step,
                                        const std::function<std::optional<BatchRate>(std::int64_t)>& rate);

}  // namespace mpsbench::supervise
