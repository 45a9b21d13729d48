// Tables of a page.
#pragma once

#include "output/text/grid.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

struct PageTable {
  std::string caption;                         // may hold anything
  std::vector<std::string> titles;             // likewise
  std::vector<bool> right;                     // alignment, one a column
  std::vector<std::vector<std::string>> rows;  // cells as HTML; the first one heads its row
};

// It can be scrolled sideways, by keys too, where it is too wide.
[[nodiscard]] std::string html_of(const PageTable& table);
// CAPTION and the texts of GRID.
[[nodiscard]] PageTable page_table(const std::string& caption, const Grid& grid);

// ID as HTML that may break between its parts.
[[nodiscard]] std::string breakable(const std::string& id);

// LINES, which may hold anything, as a list; empty for none.
[[nodiscard]] std::string list_of(const std::vector<std::string>& lines);

}  // namespace mpsbench::output
