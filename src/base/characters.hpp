// Character classes for ASCII only, independent of the locale.
#pragma once

namespace mpsbench::base {

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Whether C is white space as JSON defines it.
[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace mpsbench::base
