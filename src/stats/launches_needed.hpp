// How many launches a comparison needs, and how much two runs of the same work differ.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::stats {

// What the existing launches show about the spread of launches.
struct LaunchSpread {
  double variance = 0;  // of the log of one launch on one side, plus that of one launch on the other side
  double freedom = 1;   // degrees of freedom of this estimate
  // 1 if all the variance is on one side, or for pairs; 2 if both sides have the same variance.
  double balance = 2;
};

// From the logs of both sides. If one side has fewer than two launches, the other side's spread is used for both.
// Nullopt if both sides have fewer than two.
[[nodiscard]] std::optional<LaunchSpread> launch_spread(std::span<const double> first, std::span<const double> second);

// Of pairs, from their DIFFERENCES; nullopt for fewer than two.
[[nodiscard]] std::optional<LaunchSpread> pair_spread(std::span<const double> differences);

inline constexpr std::int64_t kMostLaunchesNeeded = 1000;

// When a change gets the verdict slower or faster: its estimate must exceed THRESHOLD, and its interval at
// confidence 1 - ALPHA must not contain zero. All values are logs.
struct CallRule {
  double threshold = 0;
  double alpha = 0;
};

// The smallest number of launches on each side that finds a true change of EFFECT (> threshold) with probability
// POWER. The power is averaged over the values that the true spread may have: few launches determine it poorly,
// so more launches are then needed. Nullopt if more than kMostLaunchesNeeded are needed.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const LaunchSpread& spread, const CallRule& rule,
                                                           double effect, double power);

// The same for half the interval's width at CONFIDENCE to be at most HALF_WIDTH, if the true spread is the
// estimated one.
[[nodiscard]] std::optional<std::int64_t> launches_for_width(const LaunchSpread& spread, double confidence,
                                                             double half_width);

// How much runs of the same work differ if nothing has changed: two parts, each as a standard deviation of logs.
struct RunSpread {
  double launch = 0;      // of the launches around the level of their run
  double run = 0;         // of the levels of the runs; 0 if the launches' own spread explains them
  std::int64_t runs = 0;  // how many runs both were estimated from

  // 99 of 100 pairs of runs with so many launches (> 0) differ by at most this factor, minus 1.
  [[nodiscard]] double between(std::int64_t before, std::int64_t after) const;
};

inline constexpr std::size_t kRunsForSpread = 5;

// By analysis of variance (one-way, random effects). RUNS has the logs of each run's launches, the same number for
// each. Nullopt for fewer than kRunsForSpread runs or two launches a run, or if a value is not finite.
[[nodiscard]] std::optional<RunSpread> run_spread(std::span<const std::vector<double>> runs);

}  // namespace mpsbench::stats
