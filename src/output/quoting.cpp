#include "output/quoting.hpp"

#include "output/text.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>

namespace mpsbench::output {
namespace {

std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace

std::string csv_text_cell(const std::string& text) {
  std::string clean = printable(text);
  const std::size_t first = clean.find_first_not_of(' ');
  const bool formula =
      first != std::string::npos && std::string_view("=+-@").find(clean[first]) != std::string_view::npos;
  return csv_quoted(formula ? "'" + clean : clean);
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
      if (!value.is_null())
        text += value.is_string() ? csv_text_cell(value.get<std::string>()) : value.dump();
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

}  // namespace mpsbench::output
