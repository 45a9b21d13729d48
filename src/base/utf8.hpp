// UTF-8 text that may come from anyone and may be malformed: code points, lines, and classes of ASCII
// characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mpsbench::base {

// Character classes for ASCII only, independent of the locale.
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Whether C is white space as JSON defines it.
[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Decodes UTF-8 text that may come from anyone and may be malformed.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// Decodes the code point at the start of TEXT, which must not be empty. Overlong forms, surrogates and
// incomplete sequences are not valid.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

// Characters that are invisible but change how a terminal shows the rest: control characters and marks of
// text direction.
[[nodiscard]] bool steers_terminal(std::uint32_t value);

// Characters of Unicode that show nothing or only a space, those of steers_terminal() included.
[[nodiscard]] bool is_invisible(std::uint32_t value);

// Follows Unicode's definition: no overlong forms, no surrogates and no values above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

// Editors on Windows put it at the beginning of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns what ends the lines of TEXT: a line feed, or a carriage return if there is no line feed.
[[nodiscard]] char line_end_of(std::string_view text);

}  // namespace mpsbench::base
