#include "output/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace mpsbench::output {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The code point at TEXT's start; not valid for overlong forms, surrogates and cut sequences.
CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t at) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeast[bytes] || value > 0x10FFFF || surrogate) return {};
  return {value, bytes, true};
}

// Characters that draw nothing but change how the rest of the line is drawn.
bool is_harmful(std::uint32_t value) {
  constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 9> kRanges{{{0x00, 0x1F},
                                                                            {0x7F, 0x9F},
                                                                            {0x61C, 0x61C},
                                                                            {0x200B, 0x200F},
                                                                            {0x2028, 0x202E},
                                                                            {0x2060, 0x206F},
                                                                            {0xFEFF, 0xFEFF},
                                                                            {0xFFF9, 0xFFFB},
                                                                            {0xFFFE, 0xFFFF}}};
  for (const auto& [first, last] : kRanges) {
    if (value >= first && value <= last) return true;
  }
  return false;
}

// Nearly all texts: nothing to decode.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

std::size_t display_width(std::string_view text) {
  if (is_plain(text)) return text.size();
  std::size_t width = 0;
  for (; !text.empty(); text.remove_prefix(decode(text).bytes)) ++width;
  return width;
}

std::string printable(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string clean;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (!point.valid || is_harmful(point.value)) {
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
    at += decode(std::string_view(clean).substr(at)).bytes;
  return clean.substr(0, at) + "…";
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
