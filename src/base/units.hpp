// Quantities in the form that people write and read. Parsers return nullopt unless the whole text has exactly
// the form described.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::base {

inline constexpr double kNanosecondsPerSecond = 1e9;
inline constexpr double kBytesPerGibibyte = 1024.0 * 1024.0 * 1024.0;

// Only digits: no sign and no leading blanks.
[[nodiscard]] std::optional<std::int64_t> parse_whole_number(std::string_view text);
// Parses a finite decimal number; "1e-3" is allowed.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
// Parses "500ms", "8s", "2m", "1h" or plain seconds. The value must not be negative.
[[nodiscard]] std::optional<double> parse_duration_seconds(std::string_view text);
// Parses "1%" or "0.01". The value must not be negative. A number without % must be below 1, because "2"
// might mean 2 % or twice.
[[nodiscard]] std::optional<double> parse_ratio(std::string_view text);
// Parses "25MiB", "512KiB", "1GiB" or plain bytes: at least 1 and at most 1 TiB.
[[nodiscard]] std::optional<std::int64_t> parse_byte_size(std::string_view text);
// Lists such as "1,8,32" and ranges: "1-8" (step 1), "1-64*2" (doubling), "4-16+4". The values are positive
// and stay in the order written.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parse_whole_number_list(std::string_view text);
// Returns the items between commas, in which "\," is a comma and "\\" a backslash. Returns nullopt if an item
// is empty or there are more than 10,000.
[[nodiscard]] std::optional<std::vector<std::string>> split_list(std::string_view text);
// Returns TEXT as an item of such a list.
[[nodiscard]] std::string list_item(std::string_view text);

// Returns the texts ITEMS with SEPARATOR between them.
[[nodiscard]] std::string join(const auto& items, std::string_view separator = ", ") {
  std::string text;
  for (bool is_first = true; const auto& item : items) {
    if (!std::exchange(is_first, false)) text += separator;
    text += item;
  }
  return text;
}

// Returns text such as "141 ms", "9.81 ms" or "3 min 41 s". Times below a minute have three significant
// digits.
[[nodiscard]] std::string format_duration(double seconds);
// Returns text such as "6.1 GiB".
[[nodiscard]] std::string format_bytes(double bytes);
// Returns the shortest text that parse_byte_size() reads as BYTES: "25MiB", "1000".
[[nodiscard]] std::string byte_size_text(std::int64_t bytes);
// Returns text such as "12,345,678".
[[nodiscard]] std::string format_count(std::int64_t count);
// Returns VALUE with DIGITS significant digits and without an exponent: 226.6, 0.83, 1234.
[[nodiscard]] std::string format_significant(double value, int digits);
// Returns the shortest text that means VALUE: "4", "0.1".
[[nodiscard]] std::string number_text(double value);

// A count with its noun: "1 case", "2 cases".
[[nodiscard]] std::string counted(std::integral auto count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace mpsbench::base
