// The tables of a page.
#pragma once

#include "output/text/grid.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

struct PageTable {
  std::string caption;                         // may contain any text
  std::vector<std::string> titles;             // may contain any text
  std::vector<bool> right;                     // alignment, one value per column
  std::vector<std::vector<std::string>> rows;  // cells as HTML; the first cell is the row's header
};

// If the table is too wide, it scrolls sideways, also with the keyboard.
[[nodiscard]] std::string html_of(const PageTable& table);
// Returns a table with CAPTION and the texts of GRID.
[[nodiscard]] PageTable page_table(const std::string& caption, const Grid& grid);

// Returns ID as HTML, with places between its parts where a line may break.
[[nodiscard]] std::string breakable(const std::string& id);

// Returns LINES, which may contain any text, as a list, or an empty text if there are none.
[[nodiscard]] std::string list_of(const std::vector<std::string>& lines);

}  // namespace mpsbench::output
