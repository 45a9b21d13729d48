// Moves once through JSON text without building a document, so that a reader of a huge file parses only the
// parts that it needs. In what it skips it checks only the brackets, the strings and the depth.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace mpsbench::base {

class JsonCursor {
 public:
  // TEXT must outlive the cursor and the views that it returns. FILE names the document in errors, which are
  // Error(usage).
  JsonCursor(std::string_view text, std::string file);

  // Expects an object here. Calls VISIT(key) for each member. VISIT may read the member's value by one call
  // of members, items or take; otherwise the value is skipped. Keys are passed as written, without decoding
  // escapes: no key of ours needs one.
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

  // Expects an array here. Calls VISIT() for each item, which may read it in the same way.
  template <typename Visit>
  void items(Visit&& visit) {
    enter('[', "an array");
    while (more(']')) {
      const std::size_t before = at_;
      visit();
      if (at_ == before) take();
    }
  }

  // Skips the value here and returns its text.
  std::string_view take();

  // Returns the text from here on; it begins with the next value.
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

  // Returns the number of bytes passed so far.
  [[nodiscard]] std::size_t position() const { return at_; }

  // Throws if anything but blanks is left.
  void done();

 private:
  void enter(char bracket, const char* expected);
  // Moves past a comma to the next value and returns true; at LAST, moves past it and returns false.
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
  bool first_ = false;  // the next value is the first one after a bracket
};

}  // namespace mpsbench::base
