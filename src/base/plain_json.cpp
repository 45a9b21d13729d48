#include "base/plain_json.hpp"

#include "base/characters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <system_error>

namespace mpsbench::base {
namespace {

std::size_t count_digits(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

// Returns the length of the number that TEXT begins with, by JSON's grammar, or 0 if there is none.
std::size_t number_length(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t whole = count_digits(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return 0;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t digits = count_digits(text, at + 1);
    if (digits == 0) return 0;
    at += 1 + digits;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t digits = count_digits(text, at);
    if (digits == 0) return 0;
    at += digits;
  }
  return at;
}

// The value of TEXT. The caller has checked that it is a number by JSON's grammar.
std::optional<double> value_of(std::string_view text) {
#if defined(__cpp_lib_to_chars)
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
#else
  std::array<char, 64> copy{};
  if (text.size() >= copy.size()) return std::nullopt;
  std::copy(text.begin(), text.end(), copy.begin());
  const double value = std::strtod(copy.data(), nullptr);
#endif
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool skip_char(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::optional<std::string_view> plain_string(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
  const std::string_view inside = text.substr(1, text.size() - 2);
  const bool plain = std::all_of(inside.begin(), inside.end(),
                                 [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  return plain ? std::optional(inside) : std::nullopt;
}

std::optional<std::int64_t> plain_count(std::string_view text) {
  constexpr std::size_t kMostDigits = 18;  // always fits: the largest value has 19
  const std::size_t digits = count_digits(text, 0);
  if (digits == 0 || digits != text.size() || digits > kMostDigits || (digits > 1 && text[0] == '0'))
    return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) value = 10 * value + (c - '0');
  return value;
}

std::optional<double> plain_number(std::string_view text) {
  if (text.empty() || number_length(text) != text.size()) return std::nullopt;
  return value_of(text);
}

std::optional<std::vector<double>> plain_numbers(std::string_view text) {
  std::vector<double> values;
  if (!skip_char(text, '[')) return std::nullopt;
  skip_blanks(text);
  if (text == "]") return values;
  do {
    skip_blanks(text);
    const std::size_t length = number_length(text);
    const auto value = length > 0 ? value_of(text.substr(0, length)) : std::nullopt;
    if (!value) return std::nullopt;
    values.push_back(*value);
    text.remove_prefix(length);
    skip_blanks(text);
  } while (skip_char(text, ','));
  return text == "]" ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace mpsbench::base
