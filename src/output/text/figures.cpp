#include "output/text/figures.hpp"

#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mpsbench::output {

namespace {

constexpr double kMostTimes = 1000;
constexpr double kAlike = 1.5;          // sides that differ by less are shown as one
constexpr double kSmall = 0.01;         // and so are shorter sides
constexpr double kTenPercent = 0.0995;  // a share from which on percentages have no decimals
constexpr double kLeastSide = 0.9;      // a tenth of the value
constexpr double kMostSide = 9;         // ten times the value

std::string bounded_times(double ratio) {
  if (ratio > kMostTimes) return ">" + format_times(kMostTimes);
  if (ratio < 1 / kMostTimes) return fmt::format("<{:g}×", 1 / kMostTimes);
  return format_times(ratio);
}

// Returns SHARE, or MOST as a bound, with as many decimals as suit WIDEST.
std::string bounded_percent(double share, double most, double widest) {
  if (share > most) return fmt::format(">{:.0f} %", most * 100);
  return fmt::format("{:.{}f} %", share * 100, widest < kTenPercent ? 1 : 0);
}

}  // namespace

std::string interval_text(double value, const std::optional<schema::Interval>& interval) {
  if (!interval || !(value > 0)) return "±?";
  const double below = std::max(0.0, 1 - interval->low / value);
  const double above = std::max(0.0, interval->high / value - 1);
  const auto [least, most] = std::minmax(below, above);
  if (most < kSmall || most <= kAlike * least) return format_noise((below + above) / 2);
  return "−" + bounded_percent(below, kLeastSide, most) + " +" + bounded_percent(above, kMostSide, most);
}

std::string interval_text(const report::Speed& speed) {
  return speed.within_launch ? kWithinLaunch : interval_text(speed.value, speed.ci95);
}

std::string with_interval(double seconds, const std::optional<schema::Interval>& interval) {
  return base::format_duration(seconds) + " " + interval_text(seconds, interval);
}

std::string format_noise(double relative_half_width) {
  return "±" + bounded_percent(relative_half_width, kMostSide, relative_half_width);
}

bool is_far_narrower(double low, double high, const std::optional<schema::Interval>& time) {
  return time && low > 0 && time->low > 0 && 2 * std::log(high / low) < std::log(time->high / time->low);
}

std::string narrow_words(const std::string& change) {
  return "The interval of a " + change +
         " may be narrower than those of its times: it is of both sides' launches together, and leaves out "
         "how samples vary inside a launch.";
}

std::string format_rate(double rate, int digits) {
  const std::string text = base::format_significant(rate, digits);
  const auto whole = base::parse_whole_number(text);
  return whole ? base::format_count(*whole) : text;
}

std::string rate_mark(const schema::RateMetric& rate) {
  if (rate.kind == schema::kOfMedianStep) return "";
  return rate.kind == schema::kOfMeanStep ? kMeanMark : " (" + rate.kind + ")";
}

std::string format_times(double ratio) {
  return base::format_significant(ratio, 3) + "×";
}

std::string format_factors(double low, double high) {
  return bounded_times(low) + " … " + bounded_times(high);
}

std::string times_text(double times) {
  return format_rate(times, 2);
}

std::string speed_words(double speed) {
  const std::string times = times_text(speed < 1 ? 1 / speed : speed);
  if (times == "1.0") return "as fast";
  return times + (speed < 1 ? " times slower" : " times as fast");
}

std::string speed_words(double speed, const std::string& other) {
  const std::string words = speed_words(speed);
  return words + (words.ends_with("slower") ? " than " : " as ") + other;
}

}  // namespace mpsbench::output
