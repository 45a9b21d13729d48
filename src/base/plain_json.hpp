// JSON values as most files have them, read from their text at once. Nullopt does not mean that a value is
// wrong, only that it is not plain: parse_large_json reads it, or tells what is wrong with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mpsbench::base {

// What stands between the quotes, where it is printable ASCII without an escape.
[[nodiscard]] std::optional<std::string_view> plain_string(std::string_view text);

// A whole number from 0 on.
[[nodiscard]] std::optional<std::int64_t> plain_count(std::string_view text);

// A finite number.
[[nodiscard]] std::optional<double> plain_number(std::string_view text);

// An array of finite numbers.
[[nodiscard]] std::optional<std::vector<double>> plain_numbers(std::string_view text);

}  // namespace mpsbench::base
