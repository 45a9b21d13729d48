// Prepares texts from reports for a terminal, a Markdown page, a spreadsheet or XML, alone and as tables.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::output {

// Returns the number of terminal cells that TEXT takes: one per UTF-8 code point. TEXT must come from
// printable().
[[nodiscard]] std::size_t display_width(std::string_view text);

// Returns TEXT in which "?" replaces everything that could control a terminal or reorder its line: control
// characters (also line breaks and tabs), escapes, bidirectional overrides, and bytes that are not UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

// Returns at most WIDTH cells of TEXT, made printable. If it is shortened, it ends with "…".
[[nodiscard]] std::string truncate(std::string_view text, std::size_t width);

// Returns TEXT filled up with blanks to WIDTH cells, on its left (for numbers) or right.
[[nodiscard]] std::string pad_left(const std::string& text, std::size_t width);
[[nodiscard]] std::string pad_right(const std::string& text, std::size_t width);

// Returns the lines of TEXT, without their line breaks.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

// What stands between texts in a list.
struct Joints {
  std::string last = " and ";
  std::string between = ", ";
};
// Returns "a", "a and b" or "a, b and c"; of more than MOST texts "a, b and 3 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& texts, const Joints& joints = {},
                                 std::size_t most = SIZE_MAX);

// Returns TEXT, which is not empty, with a capital letter at its start and a full stop.
[[nodiscard]] std::string sentence(std::string text);

// Returns TEXT as one word of a POSIX shell; unchanged if it needs no quotes.
[[nodiscard]] std::string quoted_for_shell(const std::string& text);
// Makes TEXT printable, quotes it if RFC 4180 requires it, and makes sure that no spreadsheet takes it for a
// formula.
[[nodiscard]] std::string csv_text_cell(const std::string& text);
// Returns a CSV table of flat objects that all have the same keys: a line of headings, then one line per
// object. Null becomes an empty cell.
[[nodiscard]] std::string csv_of(const std::vector<nlohmann::ordered_json>& rows);
// Makes TEXT printable and escapes it, so that Markdown and HTML show it literally.
[[nodiscard]] std::string markdown_cell(const std::string& text);
// Makes TEXT printable and escapes it for an XML 1.0 attribute in double quotes, or between tags.
[[nodiscard]] std::string xml_text(const std::string& text);

enum class Paint { none, bold, good, remark, bad };

// Returns TEXT in the terminal's colour for PAINT; unchanged if COLOUR is false.
[[nodiscard]] std::string painted(const std::string& text, Paint paint, bool colour);

struct Grid {
  struct Row {
    std::vector<std::string> cells;  // may contain any text; output makes it printable
    Paint last = Paint::none;        // colour of the last cell
  };
  std::vector<std::string> titles;
  std::vector<bool> right;  // alignment, one value per column
  std::vector<Row> rows = {};
};

// Returns the table as aligned text: the titles first, then one line per row. Lines have no blanks at their
// end.
[[nodiscard]] std::string aligned(const Grid& grid, bool colour);
[[nodiscard]] std::string markdown(const Grid& grid);

}  // namespace mpsbench::output
