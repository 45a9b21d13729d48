#include "base/json_cursor.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/utf8.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace mpsbench::base {
namespace {

enum Kind : std::uint8_t { other, quote, opening, closing };

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  kinds['"'] = quote;
  kinds['['] = kinds['{'] = opening;
  kinds[']'] = kinds['}'] = closing;
  return kinds;
}();

Kind kind_of(char c) {
  return kKinds[static_cast<unsigned char>(c)];
}

// Eight bytes of text, examined together.
using Word = std::uint64_t;
constexpr Word kEachByte = 0x0101010101010101;
static_assert(std::endian::native == std::endian::little, "the first byte is the lowest");

// Sets the highest bit of the first byte that equals C. Higher bits may be wrong.
Word marked(Word word, char c) {
  const Word differing = word ^ (kEachByte * static_cast<unsigned char>(c));
  return (differing - kEachByte) & ~differing & (kEachByte << 7U);
}

Word marked_quote_or_bracket(Word word) {
  const Word lower = word | (kEachByte << 5U);  // '[' and ']' become '{' and '}'; no other character does
  return marked(word, '"') | marked(lower, '{') | marked(lower, '}');
}

Word marked_quote_or_backslash(Word word) {
  return marked(word, '"') | marked(word, '\\');
}

// Returns the first place in TEXT, from AT on, that MARK marks in its word. Does not examine the last bytes
// if they do not fill a word (at most seven).
template <typename Mark>
std::size_t find_marked(std::string_view text, std::size_t at, Mark&& mark) {
  while (text.size() - at >= sizeof(Word)) {
    Word word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (const Word marks = mark(word)) return at + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    at += sizeof(Word);
  }
  return at;
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
}

std::string_view JsonCursor::take() {
  skip_blanks();
  const std::size_t begin = at_;
  switch (kind_of(here())) {
    case quote:
      skip_string();
      break;
    case opening:
      skip_nested();
      break;
    case closing:
      break;
    case other:
      while (at_ < text_.size() && kind_of(text_[at_]) == other && text_[at_] != ',' && !is_blank(text_[at_])) ++at_;
  }
  if (at_ == begin) fail("expected a value");
  return text_.substr(begin, at_ - begin);
}

void JsonCursor::done() {
  skip_blanks();
  if (at_ < text_.size()) fail("expected the end");
}

void JsonCursor::enter(char bracket, const char* expected) {
  skip_blanks();
  if (here() != bracket) fail(std::string("expected ") + expected);
  ++at_;
  if (++depth_ > static_cast<std::size_t>(kMaxJsonDepth)) fail("nested too deeply");
  first_ = true;
}

bool JsonCursor::more(char last) {
  skip_blanks();
  if (here() == last) {
    ++at_;
    --depth_;
    first_ = false;
    return false;
  }
  if (!first_) {
    if (here() != ',') fail(std::string("expected a comma or '") + last + "'");
    ++at_;
    skip_blanks();
  }
  first_ = false;
  return true;
}

std::string_view JsonCursor::next_key() {
  if (here() != '"') fail("expected a key");
  const std::size_t begin = at_ + 1;
  skip_string();
  const std::string_view key = text_.substr(begin, at_ - begin - 1);
  skip_blanks();
  if (here() != ':') fail("expected a colon");
  ++at_;
  skip_blanks();
  return key;
}

void JsonCursor::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

void JsonCursor::skip_string() {
  for (++at_; at_ < text_.size(); ++at_) {
    at_ = find_marked(text_, at_, marked_quote_or_backslash);
    if (here() == '\\') {
      ++at_;  // the escaped character
    } else if (here() == '"') {
      ++at_;
      return;
    }
  }
  at_ = text_.size();
  fail("a string has no closing quote");
}

void JsonCursor::skip_nested() {
  std::array<char, kMaxJsonDepth> open{};  // the closing brackets still expected
  std::size_t count = 0;
  do {
    const char c = text_[at_];
    if (kind_of(c) == quote) {
      skip_string();
    } else if (kind_of(c) == opening) {
      if (depth_ + count >= open.size()) fail("nested too deeply");
      open[count++] = c == '[' ? ']' : '}';
      ++at_;
    } else {
      if (c != open[count - 1]) fail(std::string("expected '") + open[count - 1] + "'");
      --count;
      ++at_;
    }
    if (count > 0) skip_plain();
  } while (count > 0 && at_ < text_.size());
  if (count > 0) fail(std::string("expected '") + open[count - 1] + "'");
}

// Skips numbers, commas and blanks, which make up most of a large report.
void JsonCursor::skip_plain() {
  at_ = find_marked(text_, at_, marked_quote_or_bracket);
  while (at_ < text_.size() && kind_of(text_[at_]) == other) ++at_;
}

void JsonCursor::fail(const std::string& what) const {
  throw usage_error(file_ + ": not valid JSON: " + what + " at byte " + std::to_string(at_ + 1));
}

}  // namespace mpsbench::base
