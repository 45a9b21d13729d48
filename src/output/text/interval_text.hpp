// How tables, sentences and charts show an interval.
#pragma once

#include "schema/metrics.hpp"

#include <optional>
#include <string>

namespace mpsbench::output {

// Returns how far INTERVAL reaches from VALUE: "±0.6 %"; if one side reaches at least 1 % and more than 1.5
// times as far as the other, both sides, "−7 % +22 %"; without an interval "±?". Sides beyond a factor of 10
// are bounds: "+>900 %".
[[nodiscard]] std::string interval_text(double value, const std::optional<schema::Interval>& interval);
// Returns a time with its interval: "141 ms ±0.6 %".
[[nodiscard]] std::string with_interval(double seconds, const std::optional<schema::Interval>& interval);
// Returns a relative half width as text: "±0.6 %".
[[nodiscard]] std::string format_noise(double relative_half_width);
// Returns a factor: "0.417×".
[[nodiscard]] std::string format_times(double ratio);
// Returns an interval of factors: "0.25× … 6.24×". Ends far from 1 are shown as "<0.001×" and ">1000×".
[[nodiscard]] std::string format_factors(double low, double high);

}  // namespace mpsbench::output
