#include "base/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace mpsbench::base {

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at])); };
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

namespace {

using Range = std::pair<std::uint32_t, std::uint32_t>;

bool is_in(std::span<const Range> ranges, std::uint32_t value) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return value >= range.first && value <= range.second; });
}

}  // namespace

bool steers_terminal(std::uint32_t value) {
  constexpr std::array<Range, 9> kRanges{{{0x00, 0x1F},
                                          {0x7F, 0x9F},
                                          {0x61C, 0x61C},
                                          {0x200B, 0x200F},
                                          {0x2028, 0x202E},
                                          {0x2060, 0x206F},
                                          {0xFEFF, 0xFEFF},
                                          {0xFFF9, 0xFFFB},
                                          {0xFFFE, 0xFFFF}}};
  return is_in(kRanges, value);
}

bool is_invisible(std::uint32_t value) {
  constexpr std::array<Range, 13> kRanges{{{0x20, 0x20},
                                           {0xA0, 0xA0},
                                           {0xAD, 0xAD},
                                           {0x115F, 0x1160},
                                           {0x1680, 0x1680},
                                           {0x17B4, 0x17B5},
                                           {0x180B, 0x180F},
                                           {0x2000, 0x200A},
                                           {0x202F, 0x202F},
                                           {0x205F, 0x205F},
                                           {0x3000, 0x3000},
                                           {0x3164, 0x3164},
                                           {0xE0000, 0xE0FFF}}};
  return steers_terminal(value) || is_in(kRanges, value);
}

bool is_utf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;  // the JSON writer refuses a string only if it is not UTF-8
  }
}

char line_end_of(std::string_view text) {
  return text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos ? '\r' : '\n';
}

}  // namespace mpsbench::base
