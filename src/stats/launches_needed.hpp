// How many launches a comparison needs, estimated from the launches that it has.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace mpsbench::stats {

// What the existing launches show about the spread of launches.
struct LaunchSpread {
  double variance = 0;  // of the log of one launch on one side, plus that of one launch on the other side
  double freedom = 1;   // degrees of freedom of this estimate
  // 1 if all the variance is on one side, or for pairs; 2 if both sides have the same variance.
  double balance = 2;
};

// Estimates the spread from the logs of both sides. If one side has fewer than two launches, the other side's
// spread is used for both. Returns nullopt if both sides have fewer than two.
[[nodiscard]] std::optional<LaunchSpread> launch_spread(std::span<const double> first,
                                                        std::span<const double> second);

// Estimates the spread of pairs from their DIFFERENCES. Returns nullopt for fewer than two.
[[nodiscard]] std::optional<LaunchSpread> pair_spread(std::span<const double> differences);

inline constexpr std::int64_t kMostLaunchesNeeded = 1000;

// When a change gets the verdict slower or faster: its estimate must exceed THRESHOLD, and its interval at
// confidence 1 - ALPHA must not contain zero. All values are logs.
struct CallRule {
  double threshold = 0;
  double alpha = 0;
};

// Returns the smallest number of launches on each side that finds a true change of EFFECT (> threshold) with
// probability POWER. The power is averaged over the values that the true spread may have: few launches
// determine it poorly, so more launches are then needed. Returns nullopt if more than kMostLaunchesNeeded are
// needed.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const LaunchSpread& spread, const CallRule& rule,
                                                           double effect, double power);

// Returns the smallest number of launches on each side with which half the interval's width at CONFIDENCE is
// at most HALF_WIDTH, if the true spread is the estimated one. Returns nullopt if more than
// kMostLaunchesNeeded are needed.
[[nodiscard]] std::optional<std::int64_t> launches_for_width(const LaunchSpread& spread, double confidence,
                                                             double half_width);

}  // namespace mpsbench::stats
