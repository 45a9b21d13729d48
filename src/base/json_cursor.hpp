// Moves once through JSON text without building it, so that a reader of a huge file parses only the parts
// that it needs. What is passed over is checked for its brackets, strings and depth, no further.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace mpsbench::base {

class JsonCursor {
 public:
  // TEXT must outlive the cursor and what it gives. FILE names it in errors, which are Error(usage).
  JsonCursor(std::string_view text, std::string file);

  // The value at hand is an object: VISIT(key) for each member, which may read its value by one call of
  // members, items or take; else it is passed over. Keys are as written: none of ours needs an escape.
  template <typename Visit>
  void members(Visit&& visit) {
    enter('{', "an object");
    while (more('}')) {
      const std::string_view key = next_key();
      const std::size_t before = at_;
      visit(key);
      if (at_ == before) take();
    }
  }

  // The same of an array: VISIT() for each item.
  template <typename Visit>
  void items(Visit&& visit) {
    enter('[', "an array");
    while (more(']')) {
      const std::size_t before = at_;
      visit();
      if (at_ == before) take();
    }
  }

  // The text of the value at hand, which is passed over.
  std::string_view take();

  // What the cursor has not passed yet; it begins with the value at hand.
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

  // Bytes passed so far.
  [[nodiscard]] std::size_t position() const { return at_; }

  // Nothing but blanks may be left.
  void done();

 private:
  void enter(char bracket, const char* expected);
  // Past a comma to the next value; past LAST: false.
  bool more(char last);
  std::string_view next_key();
  void skip_blanks();
  void skip_string();
  void skip_nested();
  void skip_plain();
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void fail(const std::string& what) const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool first_ = false;  // the next value is the first one behind a bracket
};

}  // namespace mpsbench::base
