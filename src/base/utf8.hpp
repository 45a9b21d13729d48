// Text files: whether they are UTF-8, and how their lines end.
#pragma once

#include <string_view>

namespace mpsbench::base {

// Follows Unicode's definition: no overlong forms, no surrogates and no values above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

// Editors on Windows put it at the beginning of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns what ends the lines of TEXT: a line feed, or a carriage return if there is no line feed.
[[nodiscard]] char line_end_of(std::string_view text);

}  // namespace mpsbench::base
