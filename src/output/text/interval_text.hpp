// How tables, sentences and charts show an interval.
#pragma once

#include "schema/metrics.hpp"
#include "schema/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

// Returns how far INTERVAL reaches from VALUE: "±0.6 %"; if one side reaches at least 1 % and more than 1.5
// times as far as the other, both sides, "−7 % +22 %"; without an interval "±?". Sides beyond a factor of 10
// are bounds: "+>900 %".
[[nodiscard]] std::string interval_text(double value, const std::optional<schema::Interval>& interval);
// Returns a time with its interval: "141 ms ±0.6 %".
[[nodiscard]] std::string with_interval(double seconds, const std::optional<schema::Interval>& interval);
// Returns why the interval of a CHANGE ("change", "speed") may be far narrower than that of a time that it is
// made of.
[[nodiscard]] std::string narrow_words(const std::string& change);
// Whether the interval from LOW to HIGH of a ratio is less than half as wide as that of its TIME.
[[nodiscard]] bool is_far_narrower(double low, double high, const std::optional<schema::Interval>& time);
// Returns a relative half width as text: "±0.6 %".
[[nodiscard]] std::string format_noise(double relative_half_width);
// Returns a factor: "0.417×".
[[nodiscard]] std::string format_times(double ratio);
// Returns an interval of factors: "0.25× … 6.24×". Ends far from 1 are shown as "<0.001×" and ">1000×".
[[nodiscard]] std::string format_factors(double low, double high);

// What the launches of a case measured.

// Returns the launches that count and have step times.
[[nodiscard]] std::vector<const schema::Launch*> timed_launches(const schema::CaseResult& result);

// Returns the median step of each of LAUNCHES, in seconds.
[[nodiscard]] std::vector<double> median_steps(const std::vector<const schema::Launch*>& launches);

// Returns false for a case that was not measured.
[[nodiscard]] bool has_figures(const schema::CaseResult& result);

}  // namespace mpsbench::output
