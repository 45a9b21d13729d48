// Text from reports on its way to a terminal, a Markdown page or a spreadsheet.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mpsbench::output {

inline constexpr const char* kNone = "–";  // where there is no figure

// Cells that TEXT takes on a terminal: one a UTF-8 code point. TEXT is printable().
[[nodiscard]] std::size_t display_width(std::string_view text);

// TEXT with everything that could steer a terminal or reorder its line (control characters, escapes,
// bidirectional overrides, bytes that are not UTF-8) replaced by "?". Line breaks and tabs too.
[[nodiscard]] std::string printable(std::string_view text);

// At most WIDTH cells of printable TEXT; what is cut ends with "…".
[[nodiscard]] std::string truncate(std::string_view text, std::size_t width);

// TEXT as one word of a POSIX shell: unchanged where that is plain.
[[nodiscard]] std::string quoted_for_shell(const std::string& text);

// TEXT with blanks to WIDTH cells, on its left (numbers) or right.
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t width);
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t width);

}  // namespace mpsbench::output
