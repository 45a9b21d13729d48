// The centre of a quantity over the launches of a case, with its interval.
#pragma once

#include "schema/launch.hpp"
#include "schema/metrics.hpp"
#include "stats/interval.hpp"

#include <optional>
#include <vector>

namespace mpsbench::report {

using Samples = std::vector<double>;

// The samples of one quantity: one list per launch, in order.
using LaunchSamples = std::vector<Samples>;

struct Location {
  std::optional<double> median;
  std::optional<schema::Interval> ci95;
};

// The launches' means. A total over many steps is based on them, so that every slow step counts.
struct Means {
  Samples values;
  Samples half_widths;
};

[[nodiscard]] LaunchSamples select(const std::vector<const schema::Launch*>& launches, Samples schema::Launch::* field);
[[nodiscard]] Means means_of(const LaunchSamples& launches);
// Returns the median of the launches' medians, with the interval over launches. A single launch has its own
// interval.
[[nodiscard]] Location locate(const LaunchSamples& launches);
// The same from the launches' MEDIANS, and from the INTERVALS of those that have one.
[[nodiscard]] Location locate(const Samples& medians, const std::vector<stats::MedianInterval>& intervals);
// INTERVAL_OF computes the interval of the means' centre, or of one further launch.
[[nodiscard]] Location locate(const Means& means, decltype(stats::launches_interval)& interval_of);

// Whether A and B are the same figure, apart from rounding that differs between machines.
[[nodiscard]] bool is_alike(double a, double b);

}  // namespace mpsbench::report
