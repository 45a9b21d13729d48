#include "output/text/grid.hpp"

#include "output/text/text.hpp"

#include <algorithm>
#include <cstddef>

namespace mpsbench::output {
namespace {

std::string line_of(const std::vector<std::string>& cells, const Grid& grid, const std::vector<std::size_t>& widths,
                    Paint last, bool colour) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_last = i + 1 == cells.size();
    std::string cell = printable(cells[i]);
    if (grid.right[i]) {
      cell = pad_left(cell, widths[i]);
    } else if (!is_last) {
      cell = pad_right(cell, widths[i]);
    }
    line += (i > 0 ? "  " : "") + (is_last ? painted(cell, last, colour) : cell);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string painted(const std::string& text, Paint paint, bool colour) {
  if (!colour || text.empty()) return text;
  const auto in = [&](const char* code) { return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m"; };
  switch (paint) {
    case Paint::bold:
      return in("1");
    case Paint::good:
      return in("32");
    case Paint::remark:
      return in("33");
    case Paint::bad:
      return in("31");
    case Paint::none:
      break;
  }
  return text;
}

std::string aligned(const Grid& grid, bool colour) {
  std::vector<std::size_t> widths(grid.titles.size(), 0);
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], display_width(printable(cells[i])));
  };
  widen(grid.titles);
  for (const Grid::Row& row : grid.rows) widen(row.cells);
  std::string text = painted(line_of(grid.titles, grid, widths, Paint::none, false), Paint::bold, colour) + "\n";
  for (const Grid::Row& row : grid.rows) text += line_of(row.cells, grid, widths, row.last, colour) + "\n";
  return text;
}

std::string markdown(const Grid& grid) {
  std::string heading = "|";
  std::string rule = "|";
  for (std::size_t i = 0; i < grid.titles.size(); ++i) {
    heading += " " + markdown_cell(grid.titles[i]) + " |";
    rule += grid.right[i] ? " ---: |" : " --- |";
  }
  std::string text = heading + "\n" + rule + "\n";
  for (const Grid::Row& row : grid.rows) {
    text += '|';
    for (const std::string& cell : row.cells) text += " " + markdown_cell(cell) + " |";
    text += '\n';
  }
  return text;
}

}  // namespace mpsbench::output
