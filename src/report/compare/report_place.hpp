// A value in a report's text, at the cursor's position. It knows its JSON path, so that messages can name it.
#pragma once

#include "base/error.hpp"
#include "base/json_cursor.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::report {

class ReportPlace {
 public:
  // The whole document; FILE is its name in messages. Both must outlive this place, and this place must
  // outlive those inside it.
  ReportPlace(base::JsonCursor& cursor, const std::string& file) : cursor_(&cursor), file_(&file) {}

  [[nodiscard]] ReportPlace at(std::string_view key) const { return {*this, key, 0}; }
  [[nodiscard]] ReportPlace item(std::size_t index) const { return {*this, {}, index}; }
  [[nodiscard]] base::JsonCursor& cursor() const { return *cursor_; }
  [[nodiscard]] base::Error error(const std::string& message) const;
  [[nodiscard]] std::string path() const;

  // These functions move the cursor past the value. The overloads with TEXT read a value that the cursor has
  // already passed. parse() and parse_text() parse the whole value and return what READ makes of it.
  template <typename Read>
  auto parse(Read&& read) const {
    return parse_text(cursor_->take(), read);
  }
  template <typename Read>
  auto parse_text(std::string_view text, Read&& read) const {
    const nlohmann::json value = base::parse_large_json(text, *file_);
    return read(base::Reader(value, *file_, path()));
  }
  [[nodiscard]] std::int64_t count() const { return count_of(cursor_->take()); }
  [[nodiscard]] std::optional<std::int64_t> count_or_null() const;
  [[nodiscard]] std::string string() const;
  [[nodiscard]] std::vector<double> numbers() const { return numbers_of(cursor_->take()); }
  // Returns the value's text, or nullopt if it is null.
  [[nodiscard]] std::optional<std::string_view> text_unless_null() const;
  [[nodiscard]] double number_of(std::string_view text) const;
  [[nodiscard]] std::vector<double> numbers_of(std::string_view text) const;

 private:
  [[nodiscard]] std::int64_t count_of(std::string_view text) const;
  ReportPlace(const ReportPlace& parent, std::string_view key, std::size_t index)
      : cursor_(parent.cursor_), file_(parent.file_), parent_(&parent), key_(key), index_(index) {}

  base::JsonCursor* cursor_;
  const std::string* file_;
  const ReportPlace* parent_ = nullptr;
  std::string_view key_;  // empty: an item of an array
  std::size_t index_ = 0;
};

struct PlaceField {
  std::string_view key;
  std::function<void(const ReportPlace&)> read;
  bool may_be_missing = false;
};

// What happens to other fields: base::UnknownKeys counts those that no report of this version has, or
// nothing.
enum class Others { skipped, counted };

// Reads FIELDS of the object at PLACE and skips all others.
void read_fields(const ReportPlace& place, std::initializer_list<PlaceField> fields,
                 Others others = Others::skipped);

}  // namespace mpsbench::report
