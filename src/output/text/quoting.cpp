#include "output/text/quoting.hpp"

#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace mpsbench::output {
namespace {

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
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return text.substr(0, sign.size()) == sign; });
}

}  // namespace

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

std::string xml_text(const std::string& text) {
  std::string clean;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        clean += "&amp;";
        break;
      case '<':
        clean += "&lt;";
        break;
      case '>':
        clean += "&gt;";
        break;
      case '"':
        clean += "&quot;";
        break;
      default:
        clean += c;
    }
  }
  return clean;
}

}  // namespace mpsbench::output
