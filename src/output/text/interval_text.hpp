// How tables and sentences show intervals of times.
#pragma once

#include "schema/metrics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

// Intervals up to this half width, as a share of their middle, are shown as ±. Wider ones say little, so the
// range of the launches is shown instead.
inline constexpr double kWidestShown = 0.5;

// Returns a time with its interval: "141 ms ±0.6 %"; without an interval "141 ms ±?". If the interval is
// wider than kWidestShown, returns the range of the LAUNCHES' medians: "0.91–2.72 s, 3 launches". For fewer
// than two, this is the interval's own range.
[[nodiscard]] std::string with_interval(double median, const std::optional<schema::Interval>& interval,
                                        const std::vector<double>& launches);
// Returns a relative half width as text: "±0.6 %", or "±>50 %" above kWidestShown.
[[nodiscard]] std::string format_noise(double relative_half_width);
// Returns a factor: "0.417×".
[[nodiscard]] std::string format_times(double ratio);
// Returns an interval of factors: "0.25× … 6.24×". Ends far from 1 are shown as "<0.001×" and ">1000×".
[[nodiscard]] std::string format_factors(double low, double high);
// Returns two times, LOW <= HIGH: "0.91–2.72 s", or "12.3 ms – 2.72 s" if one unit does not suit both.
[[nodiscard]] std::string format_range(double low, double high);

}  // namespace mpsbench::output
