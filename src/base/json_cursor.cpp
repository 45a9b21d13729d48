#include "base/json_cursor.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"

#include <array>
#include <cstdint>

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

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
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
      while (at_ < text_.size() && kind_of(text_[at_]) == other && text_[at_] != ',' && !is_blank(text_[at_]))
        ++at_;
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
  if (++depth_ > static_cast<std::size_t>(kMaxJsonDepth)) fail("nested too deep");
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
    if (text_[at_] == '\\') {
      ++at_;  // what is escaped
    } else if (text_[at_] == '"') {
      ++at_;
      return;
    }
  }
  at_ = text_.size();
  fail("a string without an end");
}

void JsonCursor::skip_nested() {
  std::string open;  // the brackets still to be closed
  do {
    const char c = text_[at_];
    if (kind_of(c) == quote) {
      skip_string();
    } else if (kind_of(c) == opening) {
      open += c == '[' ? ']' : '}';
      if (depth_ + open.size() > static_cast<std::size_t>(kMaxJsonDepth)) fail("nested too deep");
      ++at_;
    } else {
      if (c != open.back()) fail(std::string("expected '") + open.back() + "'");
      open.pop_back();
      ++at_;
    }
    if (!open.empty()) skip_plain();
  } while (!open.empty() && at_ < text_.size());
  if (!open.empty()) fail(std::string("expected '") + open.back() + "'");
}

// Most of a large report: numbers, commas and blanks.
void JsonCursor::skip_plain() {
  const char* at = text_.data() + at_;
  const char* const end = text_.data() + text_.size();
  while (at != end && kind_of(*at) == other) ++at;
  at_ = static_cast<std::size_t>(at - text_.data());
}

void JsonCursor::fail(const std::string& what) const {
  throw usage_error(file_ + ": not valid JSON: " + what + " at byte " + std::to_string(at_ + 1));
}

}  // namespace mpsbench::base
