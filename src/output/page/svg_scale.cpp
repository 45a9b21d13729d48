#include "output/page/svg_scale.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace mpsbench::output {
namespace {

constexpr double kLeast = 1e-30;
constexpr double kMost = 1e30;
constexpr int kTimeDigits = 6;  // neighbouring ticks on a narrow axis differ only in late digits
constexpr int kCountDigits = 3;

double cut(double value, double least) {
  return std::isnan(value) ? least : std::clamp(value, least, kMost);
}

std::vector<double> linear_ticks(const Scale& scale, std::size_t most) {
  const double rough = (scale.high - scale.low) / static_cast<double>(most);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(scale.low / step - 1e-9);
  for (std::size_t number = 0; number <= most; ++number) {
    const double tick = (first + static_cast<double>(number)) * step;
    if (tick <= scale.high + step * 1e-9) ticks.push_back(tick);
  }
  return ticks;
}

std::vector<double> decade_ticks(const Scale& scale, const std::vector<double>& factors, int every) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(scale.low)));
  const int last = static_cast<int>(std::ceil(std::log10(scale.high)));
  for (int power = first; power <= last; power += every) {
    for (const double factor : factors) {
      const double tick = factor * std::pow(10, power);
      if (tick >= scale.low * (1 - 1e-9) && tick <= scale.high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

std::vector<double> log_ticks(const Scale& scale, std::size_t most) {
  for (const auto& factors : {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}}) {
    const std::vector<double> ticks = decade_ticks(scale, factors, 1);
    if (ticks.size() >= 3 && ticks.size() <= most) return ticks;
  }
  const std::vector<double> decades = decade_ticks(scale, {1}, 1);
  if (decades.size() < 2) return linear_ticks(scale, most);
  return decade_ticks(scale, {1}, static_cast<int>((decades.size() + most - 1) / most));
}

std::string with_unit(double value, double size, const std::string& unit, int digits) {
  const double number = value / size;
  return (std::abs(number) >= 1000 ? fmt::format("{:.0f}", number) : fmt::format("{:.{}g}", number, digits)) +
         unit;
}

}  // namespace

double place(const Scale& scale, double value) {
  if (std::isnan(value)) return scale.from;
  const double inside = std::clamp(value, scale.low, scale.high);
  const double share = scale.logarithmic ? std::log(inside / scale.low) / std::log(scale.high / scale.low)
                                         : (inside - scale.low) / (scale.high - scale.low);
  return scale.from + share * (scale.to - scale.from);
}

Scale linear_scale(double low, double high, double from, double to) {
  low = cut(low, -kMost);
  high = cut(high, -kMost);
  if (!(high - low > 1e-9 * std::max(std::abs(low), std::abs(high)))) {
    const double room = std::max(std::abs(low) * 0.05, kLeast);
    low -= room;
    high = low + 2 * room;
  }
  return {low, high, from, to, false};
}

Scale log_scale(double low, double high, double from, double to) {
  low = cut(low, kLeast);
  high = cut(high, kLeast);
  if (!(high > low * 1.001)) {
    low /= 1.5;
    high = low * 2.25;
  }
  return {low, high, from, to, true};
}

std::vector<double> round_ticks(const Scale& scale, std::size_t most) {
  return scale.logarithmic ? log_ticks(scale, most) : linear_ticks(scale, most);
}

std::string tick_time(double seconds) {
  constexpr std::array<std::pair<double, const char*>, 4> kUnits{
      {{1, " s"}, {1e-3, " ms"}, {1e-6, " µs"}, {1e-9, " ns"}}};
  if (seconds == 0) return "0";
  for (const auto& [size, unit] : kUnits) {
    if (std::abs(seconds) >= 0.9995 * size) return with_unit(seconds, size, unit, kTimeDigits);
  }
  return with_unit(seconds, 1e-9, " ns", kTimeDigits);
}

std::string tick_count(double value) {
  constexpr std::array<std::pair<double, const char*>, 5> kUnits{
      {{1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const auto& [size, unit] : kUnits) {
    if (std::abs(value) >= 0.9995 * size) return with_unit(value, size, unit, kCountDigits);
  }
  return with_unit(value, 1, "", kCountDigits);
}

}  // namespace mpsbench::output
