#include "output/page/page_table.hpp"

#include "output/text/quoting.hpp"

#include <cstddef>

namespace mpsbench::output {
namespace {

const char* class_of(Paint paint) {
  switch (paint) {
    case Paint::good:
      return "good";
    case Paint::bad:
      return "bad";
    case Paint::remark:
      return "remark";
    case Paint::bold:
    case Paint::none:
      break;
  }
  return "";
}

}  // namespace

std::string html_of(const PageTable& table) {
  const std::string caption = xml_text(table.caption);
  std::string text = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption +
                     "\"><table><caption>" + caption + "</caption>\n<thead><tr>";
  for (std::size_t at = 0; at < table.titles.size(); ++at)
    text += (at > 0 && table.right[at] ? "<th scope=\"col\" class=\"r\">" : "<th scope=\"col\">") +
            xml_text(table.titles[at]) + "</th>";
  text += "</tr></thead>\n<tbody>";
  for (const std::vector<std::string>& row : table.rows) {
    text += "<tr>";
    for (std::size_t at = 0; at < row.size(); ++at) {
      const char* lead = at == 0 ? "<th scope=\"row\">" : table.right[at] ? "<td class=\"r\">" : "<td>";
      text += lead + row[at] + (at == 0 ? "</th>" : "</td>");
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

PageTable page_table(const std::string& caption, const Grid& grid) {
  PageTable table{caption, grid.titles, grid.right, {}};
  for (const Grid::Row& row : grid.rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const std::string& cell : row.cells)
      cells.push_back(cells.empty() ? breakable(cell) : xml_text(cell));
    const std::string paint = class_of(row.last);
    if (!paint.empty() && !cells.empty())
      cells.back() = "<span class=\"" + paint + "\">" + cells.back() + "</span>";
  }
  return table;
}

std::string breakable(const std::string& id) {
  std::string text;
  for (const char c : xml_text(id)) {
    if (c == '+') text += "<wbr>";
    text += c;
    if (c == '/') text += "<wbr>";
  }
  return text;
}

std::string list_of(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "<ul>";
  for (const std::string& line : lines) text += "<li>" + xml_text(line) + "</li>\n";
  return text + "</ul>\n";
}

}  // namespace mpsbench::output
