// A table of texts, for a terminal or a Markdown page.
#pragma once

#include <string>
#include <vector>

namespace mpsbench::output {

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
  std::vector<Row> rows;
};

// Returns the table as aligned text: the titles first, then one line per row. Lines have no blanks at their
// end.
[[nodiscard]] std::string aligned(const Grid& grid, bool colour);
[[nodiscard]] std::string markdown(const Grid& grid);

}  // namespace mpsbench::output
