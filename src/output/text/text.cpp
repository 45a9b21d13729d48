#include "output/text/text.hpp"

#include "base/code_point.hpp"

#include <algorithm>

namespace mpsbench::output {
namespace {

// Nearly all texts are plain, so nothing needs decoding.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
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
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@%,";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace mpsbench::output
