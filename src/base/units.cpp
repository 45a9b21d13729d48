#include "base/units.hpp"

#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace mpsbench::base {

namespace {

constexpr std::size_t kLongestList = 10'000;
constexpr std::int64_t kMostByteSize = std::int64_t{1} << 40;
constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kByteUnits{
    {{"GiB", std::int64_t{1} << 30}, {"MiB", std::int64_t{1} << 20}, {"KiB", std::int64_t{1} << 10}}};

// Splits TEXT into the number at its start and the rest: "500ms" -> {500, "ms"}.
std::optional<std::pair<double, std::string_view>> leading_number(std::string_view text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789.eE+-"), text.size());
  const std::string number(text.substr(0, length));
  if (number.empty() || number.front() == '+') return std::nullopt;
  char* end = nullptr;
  // The programs never call setlocale, so the decimal point is '.'.
  const double value = std::strtod(number.c_str(), &end);
  if (end != number.c_str() + number.size() || !std::isfinite(value)) return std::nullopt;
  return std::pair{value, text.substr(length)};
}

std::string print(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// Parses "A-B", "A-B+S" or "A-B*M".
std::optional<std::vector<std::int64_t>> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::size_t sign = text.find_first_of("+*", dash);
  const auto first = parse_whole_number(text.substr(0, dash));
  const auto last = parse_whole_number(text.substr(dash + 1, sign == std::string_view::npos ? sign : sign - dash - 1));
  const bool multiply = sign != std::string_view::npos && text[sign] == '*';
  const auto by =
      sign == std::string_view::npos ? std::optional<std::int64_t>(1) : parse_whole_number(text.substr(sign + 1));
  if (!first || !last || !by || *first < 1 || *last < *first || *by < (multiply ? 2 : 1)) return std::nullopt;
  std::vector<std::int64_t> values;
  for (std::int64_t value = *first; value <= *last;) {
    if (values.size() >= kLongestList) return std::nullopt;
    values.push_back(value);
    if (multiply ? value > *last / *by : value > *last - *by) break;
    value = multiply ? value * *by : value + *by;
  }
  return values;
}

}  // namespace

std::optional<std::int64_t> parse_whole_number(std::string_view text) {
  std::int64_t value = 0;
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  const auto number = leading_number(text);
  if (!number || !number->second.empty()) return std::nullopt;
  return number->first;
}

std::optional<double> parse_duration_seconds(std::string_view text) {
  const auto number = leading_number(text);
  if (!number || number->first < 0) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
      {{"", 1}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}}};
  for (const auto& [unit, factor] : kUnits) {
    if (number->second == unit && number->first * factor <= 1e9) return number->first * factor;
  }
  return std::nullopt;
}

std::optional<double> parse_ratio(std::string_view text) {
  const auto number = leading_number(text);
  if (!number || number->first < 0) return std::nullopt;
  if (number->second == "%") return number->first / 100;
  if (number->second.empty() && number->first < 1) return number->first;
  return std::nullopt;
}

std::optional<std::int64_t> parse_byte_size(std::string_view text) {
  std::int64_t factor = 1;
  for (const auto& [unit, bytes] : kByteUnits) {
    if (!text.ends_with(unit)) continue;
    text.remove_suffix(unit.size());
    factor = bytes;
  }
  const auto count = parse_whole_number(text);
  if (!count || *count < 1 || *count > kMostByteSize / factor) return std::nullopt;
  return *count * factor;
}

std::optional<std::vector<std::string>> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '\\' && (next == ',' || next == '\\')) {
      items.back() += next;
      ++at;
    } else if (text[at] != ',') {
      items.back() += text[at];
    } else if (items.back().empty() || items.size() >= kLongestList) {
      return std::nullopt;
    } else {
      items.emplace_back();
    }
  }
  if (items.back().empty()) return std::nullopt;
  return items;
}

std::string list_item(std::string_view text) {
  std::string item;
  for (const char c : text) {
    if (c == ',' || c == '\\') item += '\\';
    item += c;
  }
  return item;
}

std::optional<std::vector<std::int64_t>> parse_whole_number_list(std::string_view text) {
  const auto items = split_list(text);
  if (!items) return std::nullopt;
  std::vector<std::int64_t> values;
  for (const std::string& item : *items) {
    if (item.find('-') != std::string::npos) {
      const auto range = parse_range(item);
      if (!range) return std::nullopt;
      values.insert(values.end(), range->begin(), range->end());
    } else {
      const auto value = parse_whole_number(item);
      if (!value || *value < 1) return std::nullopt;
      values.push_back(*value);
    }
    if (values.size() > kLongestList) return std::nullopt;
  }
  return values;
}

std::string byte_size_text(std::int64_t bytes) {
  for (const auto& [unit, factor] : kByteUnits) {
    if (bytes > 0 && bytes % factor == 0) return std::to_string(bytes / factor) + std::string(unit);
  }
  return std::to_string(bytes);
}

std::string number_text(double value) {
  constexpr double kMostExact = 9007199254740992;  // 2^53
  if (std::abs(value) <= kMostExact && value == std::floor(value))
    return std::to_string(static_cast<std::int64_t>(value));
  return nlohmann::json(value).dump();
}

std::string format_significant(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return print("%.0f", value);
  // Rounds first, so that 99.96 with three digits becomes 100, not 100.0.
  const std::string rounded = print(("%." + std::to_string(digits - 1) + "e").c_str(), value);
  const int exponent = static_cast<int>(std::strtol(rounded.c_str() + rounded.find('e') + 1, nullptr, 10));
  const int decimals = std::max(0, digits - 1 - exponent);
  return print(("%." + std::to_string(decimals) + "f").c_str(), std::strtod(rounded.c_str(), nullptr));
}

std::string format_duration(double seconds) {
  const double size = std::abs(seconds);
  if (size < 0.9995e-6) return format_significant(seconds * 1e9, 3) + " ns";
  if (size < 0.9995e-3) return format_significant(seconds * 1e6, 3) + " µs";
  if (size < 0.9995) return format_significant(seconds * 1e3, 3) + " ms";
  if (size < 59.95) return format_significant(seconds, 3) + " s";
  if (!(size < 1e15)) return print("%.3g", seconds) + " s";  // too large for whole minutes
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  const std::int64_t minutes = (whole + 30) / 60;
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string format_bytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (std::abs(bytes) >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  const char* format = unit == 0 || std::abs(bytes) >= 99.95 ? "%.0f" : "%.1f";
  return print(format, bytes) + " " + kUnits[unit];
}

std::string format_count(std::int64_t count) {
  std::string text = std::to_string(count);
  const std::size_t first = text.front() == '-' ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

}  // namespace mpsbench::base
