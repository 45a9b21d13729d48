// A table of texts, for a terminal or a Markdown page.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::output {

enum class Paint { none, bold, good, remark, bad };

// TEXT in the terminal's colour for PAINT; as it is without COLOUR.
[[nodiscard]] std::string painted(const std::string& text, Paint paint, bool colour);

struct Grid {
  struct Row {
    std::vector<std::string> cells;  // may hold anything: they are made printable
    Paint last = Paint::none;        // of the last cell
  };
  std::vector<std::string> titles;
  std::vector<bool> right;  // alignment, one a column
  std::vector<Row> rows;
};

// Aligned, titles first, a line a row; no blanks at a line's end.
[[nodiscard]] std::string aligned(const Grid& grid, bool colour);
[[nodiscard]] std::string markdown(const Grid& grid);

}  // namespace mpsbench::output
