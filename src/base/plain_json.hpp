// Reads JSON values directly from their text if they have the simple form that most files use. Nullopt does
// not mean that a value is wrong, only that it is not simple: then parse_large_json reads it or reports what
// is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mpsbench::base {

// Returns the characters between the quotes, if all are printable ASCII and none is an escape.
[[nodiscard]] std::optional<std::string_view> plain_string(std::string_view text);

// Parses a whole number, 0 or more.
[[nodiscard]] std::optional<std::int64_t> plain_count(std::string_view text);

// Parses a finite number.
[[nodiscard]] std::optional<double> plain_number(std::string_view text);

// Parses an array of finite numbers.
[[nodiscard]] std::optional<std::vector<double>> plain_numbers(std::string_view text);

}  // namespace mpsbench::base
