// How tables, sentences and charts show times, rates, ratios and their intervals.
#pragma once

#include "report/compare/machines.hpp"
#include "schema/metrics.hpp"

#include <optional>
#include <string>

namespace mpsbench::output {

inline constexpr const char* kNone = "–";  // shown if there is no figure
// Shown in place of an interval if only one launch was measured. This is also the flag of such cases.
inline constexpr const char* kWithinLaunch = "within-launch";
// What follows a time or a rate that is not of the median step.
inline constexpr const char* kMeanMark = " (mean)";

// Returns how far INTERVAL reaches from VALUE: "±0.6 %"; if one side reaches at least 1 % and more than 1.5
// times as far as the other, both sides, "−7 % +22 %"; without an interval "±?". Sides beyond a factor of 10
// are bounds: "+>900 %".
[[nodiscard]] std::string interval_text(double value, const std::optional<schema::Interval>& interval);
// The same of a speed; "within-launch" if nothing shows how launches differ.
[[nodiscard]] std::string interval_text(const report::Speed& speed);
// Returns a time with its interval: "141 ms ±0.6 %".
[[nodiscard]] std::string with_interval(double seconds, const std::optional<schema::Interval>& interval);
// Returns a relative half width as text: "±0.6 %".
[[nodiscard]] std::string format_noise(double relative_half_width);

// Whether the interval from LOW to HIGH of a ratio is less than half as wide as that of its TIME.
[[nodiscard]] bool is_far_narrower(double low, double high, const std::optional<schema::Interval>& time);
// Returns why the interval of a CHANGE ("change", "speed") may be far narrower than that of its time.
[[nodiscard]] std::string narrow_words(const std::string& change);

// Returns RATE with four significant digits, or as many as DIGITS: "226.6", "12,350".
[[nodiscard]] std::string format_rate(double rate, int digits = 4);
// Returns what follows a rate that is not of the median step: " (mean)", " (epochs)" or " (loop)".
[[nodiscard]] std::string rate_mark(const schema::RateMetric& rate);

// Returns a factor for tables: "0.417×".
[[nodiscard]] std::string format_times(double ratio);
// Returns an interval of factors: "0.25× … 6.24×". Ends far from 1 are shown as "<0.001×" and ">1000×".
[[nodiscard]] std::string format_factors(double low, double high);
// Returns a factor for sentences, with two significant digits: "3.1", "1,800".
[[nodiscard]] std::string times_text(double times);
// A speed compared with another one, for sentences: 3.1 is "3.1 times as fast", 0.42 is "2.4 times slower",
// and what rounds to 1 is "as fast".
[[nodiscard]] std::string speed_words(double speed);
// The same with the other one's name: "3.1 times as fast as m1", "2.4 times slower than m1".
[[nodiscard]] std::string speed_words(double speed, const std::string& other);

}  // namespace mpsbench::output
