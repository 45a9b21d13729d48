#include "output/text/text.hpp"

#include "base/utf8.hpp"
#include "schema/case_spec.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace mpsbench::output {

namespace {

// Nearly all texts are plain, so nothing needs decoding.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

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

constexpr std::size_t kAlwaysShown = 3;  // model, mode and the next part (device or batch size)

// Whether NAME is a batch size, which is worth showing even if it is the same in all ids.
bool is_batch(const std::string& name) {
  return name.size() > 1 && name[0] == 'b' && name.find_first_not_of("0123456789", 1) == std::string::npos;
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
    if (!point.valid || base::steers_terminal(point.value)) {
      clean += '?';
    } else {
      clean.append(text.substr(0, point.bytes));
    }
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

std::string sentence(std::string text) {
  if (text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
  return text + ".";
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t cells = display_width(text);
  return std::string(width > cells ? width - cells : 0, ' ') + std::string(text);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t cells = display_width(text);
  return std::string(text) + std::string(width > cells ? width - cells : 0, ' ');
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

std::vector<std::string> short_ids(const std::vector<std::string>& ids) {
  std::vector<schema::CaseId> all(ids.begin(), ids.end());
  const auto is_shown = [&](std::size_t at) {
    return at < kAlwaysShown || std::ranges::any_of(
                                    all,
                                    [&](const schema::CaseId& id) {
                                      return at >= id.parts.size() || id.parts[at] != all.front().parts[at] ||
                                             is_batch(id.parts[at]);
                                    });
  };
  std::vector<bool> shown;
  for (std::size_t at = 0; !all.empty() && at < all.front().parts.size(); ++at) shown.push_back(is_shown(at));
  std::vector<std::string> texts;
  for (schema::CaseId& id : all) {
    for (std::size_t at = std::min(id.parts.size(), shown.size()); at-- > 0;) {
      if (!shown[at]) id = id.without_part(at);
    }
    texts.push_back(id.text());
  }
  return texts;
}

}  // namespace mpsbench::output
