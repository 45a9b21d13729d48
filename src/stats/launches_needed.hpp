// How many launches a comparison needs, judged by those it has.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace mpsbench::stats {

// What the launches at hand say of their spread.
struct LaunchSpread {
  double variance = 0;  // of one launch's log on one side plus one's on the other
  double freedom = 1;   // how well it is known
  double balance = 2;   // 1: all of it is on one side, or of pairs; 2: both sides spread alike
};

// Of the logs of both sides. For a side with fewer than two the other stands in; nullopt when both have
// fewer.
[[nodiscard]] std::optional<LaunchSpread> launch_spread(std::span<const double> first,
                                                        std::span<const double> second);

// Of pairs whose DIFFERENCES are given. Nullopt for fewer than two.
[[nodiscard]] std::optional<LaunchSpread> pair_spread(std::span<const double> differences);

inline constexpr std::int64_t kMostLaunchesNeeded = 1000;

// A change to be called: its estimate must be beyond THRESHOLD, and no change outside its interval at 1 -
// ALPHA. All in logs.
struct CallRule {
  double threshold = 0;
  double alpha = 0;
};

// Least launches on each side with which a true change of EFFECT (> threshold) is called with probability
// POWER, averaged over what the spread may really be: few launches know it badly, so they need more. Nullopt:
// more than kMostLaunchesNeeded.
[[nodiscard]] std::optional<std::int64_t> launches_to_call(const LaunchSpread& spread, const CallRule& rule,
                                                           double effect, double power);

// Least launches on each side whose interval at CONFIDENCE reaches no further than HALF_WIDTH, the spread
// being what it seems. Nullopt as above.
[[nodiscard]] std::optional<std::int64_t> launches_for_width(const LaunchSpread& spread, double confidence,
                                                             double half_width);

}  // namespace mpsbench::stats
