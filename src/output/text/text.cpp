#include "output/text/text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <utility>

namespace mpsbench::output {

namespace {

// Nearly all texts are plain, so nothing needs decoding.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

struct XmlEntity {
  char character;
  std::string_view text;
};
constexpr XmlEntity kXmlEntities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

std::string csv_quoted(const std::string& text) {
  // In countries with a decimal comma, spreadsheets separate cells at semicolons, so quote those, too.
  if (text.find_first_of(",;\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

// Some spreadsheets also accept full-width signs.
bool begins_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  constexpr std::string_view kSigns[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return text.starts_with(sign); });
}

std::string row_text(const std::vector<std::string>& cells, const Grid& grid, const std::vector<std::size_t>& widths,
                     Paint last, bool colour) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_last = i + 1 == cells.size();
    std::string cell = printable(cells[i]);
    if (grid.right[i] || !is_last) cell = grid.right[i] ? pad_left(cell, widths[i]) : pad_right(cell, widths[i]);
    line += (i > 0 ? "  " : "") + (is_last ? painted(cell, last, colour) : cell);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_plain(text)) return text.size();
  std::size_t width = 0;
  for (; !text.empty(); text.remove_prefix(base::first_code_point(text).bytes)) ++width;
  return width;
}

std::string printable(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string clean;
  while (!text.empty()) {
    const base::CodePoint point = base::first_code_point(text);
    const bool is_safe = point.valid && !base::steers_terminal(point.value);
    clean += is_safe ? text.substr(0, point.bytes) : "?";
    text.remove_prefix(point.bytes);
  }
  return clean;
}

std::string truncate(std::string_view text, std::size_t width) {
  std::string clean = printable(text);
  if (display_width(clean) <= width) return clean;
  if (width == 0) return {};
  std::size_t at = 0;
  for (std::size_t cells = 0; cells + 1 < width; ++cells)
    at += base::first_code_point(std::string_view(clean).substr(at)).bytes;
  return clean.substr(0, at) + "…";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string listed(const std::vector<std::string>& texts, const Joints& joints, std::size_t most) {
  const std::size_t named = std::min(texts.size(), most);
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i > 0 && i + 1 == texts.size();
    text += (i == 0 ? "" : is_last ? joints.last : joints.between) + texts[i];
  }
  return named == texts.size() ? text : fmt::format("{} and {} more", text, texts.size() - named);
}

std::string sentence(std::string text) {
  if (text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
  return text + ".";
}

std::string pad_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ') + text;
}

std::string pad_right(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string quoted_for_shell(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@%,";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string csv_text_cell(const std::string& text) {
  std::string clean = printable(text);
  return csv_quoted(begins_formula(clean) ? "'" + clean : clean);
}

std::string csv_of(const std::vector<nlohmann::ordered_json>& rows) {
  std::string text;
  for (const auto& row : rows) {
    if (&row == rows.data()) {
      for (const auto& [key, unused] : row.items()) text += (text.empty() ? "" : ",") + key;
      text += "\r\n";
    }
    const char* comma = "";
    for (const auto& [unused, value] : row.items()) {
      text += std::exchange(comma, ",");
      if (!value.is_null()) text += value.is_string() ? csv_text_cell(value.get<std::string>()) : value.dump();
    }
    text += "\r\n";
  }
  return text;
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : printable(text)) {
    if (std::string_view("\\|`*_<>[]").find(c) != std::string_view::npos) cell += '\\';
    cell += c;
  }
  return cell;
}

std::string xml_text(const std::string& text) {
  std::string clean;
  for (const char c : printable(text)) {
    const auto found = std::ranges::find(kXmlEntities, c, &XmlEntity::character);
    clean += found != std::end(kXmlEntities) ? std::string(found->text) : std::string(1, c);
  }
  return clean;
}

std::string painted(const std::string& text, Paint paint, bool colour) {
  if (!colour || text.empty() || paint == Paint::none) return text;
  constexpr std::array<const char*, 5> kCodes{"0", "1", "32", "33", "31"};  // in the order of Paint
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes.at(static_cast<std::size_t>(paint)), text);
}

std::string aligned(const Grid& grid, bool colour) {
  std::vector<std::size_t> widths(grid.titles.size(), 0);
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], display_width(printable(cells[i])));
  };
  widen(grid.titles);
  for (const Grid::Row& row : grid.rows) widen(row.cells);
  std::string text = painted(row_text(grid.titles, grid, widths, Paint::none, false), Paint::bold, colour) + "\n";
  for (const Grid::Row& row : grid.rows) text += row_text(row.cells, grid, widths, row.last, colour) + "\n";
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
