// How much two runs of the same work differ if nothing has changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::stats {

// The two parts of the noise, each as a standard deviation of logs.
struct RunSpread {
  double launch = 0;      // of the launches around the level of their run
  double run = 0;         // of the levels of the runs; 0 if the launches' own spread explains them
  std::int64_t runs = 0;  // how many runs both were estimated from

  // Returns how much two runs with so many launches each (> 0) differ: 99 of 100 such pairs differ by at most
  // this factor, minus 1.
  [[nodiscard]] double between(std::int64_t before, std::int64_t after) const;
};

inline constexpr std::size_t kRunsForSpread = 5;

// Estimates the spread by analysis of variance (one-way, random effects). RUNS has the logs of each run's
// launches, the same number for each. Returns nullopt for fewer than kRunsForSpread runs, for fewer than two
// launches a run, or if a value is not finite.
[[nodiscard]] std::optional<RunSpread> run_spread(std::span<const std::vector<double>> runs);

}  // namespace mpsbench::stats
