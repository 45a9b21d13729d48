#include "output/text/interval_text.hpp"

#include "base/counted.hpp"
#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mpsbench::output {
namespace {

constexpr double kOneUnit = 10;  // a range up to this ratio is written in one unit

constexpr double kMostTimes = 1000;

std::string bounded_times(double ratio) {
  if (ratio > kMostTimes) return ">" + format_times(kMostTimes);
  if (ratio < 1 / kMostTimes) return fmt::format("<{:g}×", 1 / kMostTimes);
  return format_times(ratio);
}

}  // namespace

std::string format_noise(double relative_half_width) {
  if (relative_half_width > kWidestShown) return fmt::format("±>{:.0f} %", kWidestShown * 100);
  const double percent = relative_half_width * 100;
  return fmt::format("±{:.{}f} %", percent, percent < 9.95 ? 1 : 0);
}

std::string format_times(double ratio) {
  return base::format_significant(ratio, 3) + "×";
}

std::string format_factors(double low, double high) {
  return bounded_times(low) + " … " + bounded_times(high);
}

std::string format_range(double low, double high) {
  const std::string most = base::format_duration(high);
  const std::size_t blank = most.find(' ');
  const auto number = base::parse_number(most.substr(0, blank));
  if (!number || blank != most.rfind(' ') || low < high / kOneUnit)
    return base::format_duration(low) + " – " + most;
  const std::size_t point = most.find('.');
  const std::size_t decimals = point < blank ? blank - point - 1 : 0;
  const double units_per_second = std::pow(10, std::round(std::log10(*number / high)));
  return fmt::format("{:.{}f}–{}", low * units_per_second, decimals, most);
}

std::string with_interval(double median, const std::optional<schema::Interval>& interval,
                          const std::vector<double>& launches) {
  if (!interval || median <= 0) return base::format_duration(median) + " ±?";
  const double share = (interval->high - interval->low) / 2 / median;
  if (share <= kWidestShown) return base::format_duration(median) + " " + format_noise(share);
  if (launches.size() < 2) return format_range(interval->low, interval->high);
  const auto [least, most] = std::ranges::minmax_element(launches);
  return format_range(*least, *most) + ", " + base::counted(launches.size(), "launch", "launches");
}

}  // namespace mpsbench::output
