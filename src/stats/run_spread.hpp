// How far two runs of the same thing lie apart, though nothing changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::stats {

// The two parts of the noise, as standard deviations of logs.
struct RunSpread {
  double launch = 0;      // of the launches around their run's level
  double run = 0;         // of the runs' levels, 0 where the launches' own spread explains them
  std::int64_t runs = 0;  // from which both were estimated

  // Of two runs of so many launches (> 0), the factor by which 99 of 100 such pairs differ at most, less 1.
  [[nodiscard]] double between(std::int64_t before, std::int64_t after) const;
};

inline constexpr std::size_t kRunsForSpread = 5;

// By analysis of variance (one-way, random effects). RUNS: the logs of each one's launches, equally many.
// Nullopt for fewer than kRunsForSpread runs, fewer than two launches in one, or any that is not finite.
[[nodiscard]] std::optional<RunSpread> run_spread(std::span<const std::vector<double>> runs);

}  // namespace mpsbench::stats
