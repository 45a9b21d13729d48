#include "output/text/interval_text.hpp"

#include "base/units.hpp"
#include "report/metrics/counted_launches.hpp"
#include "stats/summary.hpp"

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
std::string percent_text(double share, double most, double widest) {
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
  return "−" + percent_text(below, kLeastSide, most) + " +" + percent_text(above, kMostSide, most);
}

std::string with_interval(double seconds, const std::optional<schema::Interval>& interval) {
  return base::format_duration(seconds) + " " + interval_text(seconds, interval);
}

std::string narrow_words(const std::string& change) {
  return "The interval of a " + change +
         " may be narrower than those of its times: it is of both sides' launches together, and leaves out "
         "how samples vary inside a launch.";
}

bool is_far_narrower(double low, double high, const std::optional<schema::Interval>& time) {
  return time && low > 0 && time->low > 0 && 2 * std::log(high / low) < std::log(time->high / time->low);
}

std::string format_noise(double relative_half_width) {
  return "±" + percent_text(relative_half_width, kMostSide, relative_half_width);
}

std::string format_times(double ratio) {
  return base::format_significant(ratio, 3) + "×";
}

std::string format_factors(double low, double high) {
  return bounded_times(low) + " … " + bounded_times(high);
}

std::vector<const schema::Launch*> timed_launches(const schema::CaseResult& result) {
  std::vector<const schema::Launch*> timed;
  for (const schema::Launch* launch : report::counted_launches(result.launches)) {
    if (!launch->samples_seconds.empty()) timed.push_back(launch);
  }
  return timed;
}

std::vector<double> median_steps(const std::vector<const schema::Launch*>& launches) {
  std::vector<double> seconds;
  for (const schema::Launch* launch : launches) seconds.push_back(stats::median_of(launch->samples_seconds));
  return seconds;
}

bool has_figures(const schema::CaseResult& result) {
  return result.metrics.step_seconds.median && !timed_launches(result).empty();
}

}  // namespace mpsbench::output
