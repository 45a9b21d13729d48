// Tables of the keys of a report's objects: which member a key is, and what people and programs know of it.
// field_json.hpp reads and writes JSON by them and makes the JSON Schema of them.
#pragma once

#include <limits>
#include <span>
#include <variant>

namespace mpsbench::schema {

// Of a number, or of each number of a list. Whole numbers count something: from 0 on, unless MIN is more.
struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// No time in a report is longer.
inline constexpr double kMostSeconds = 1e9;
inline constexpr Bounds kTime{0, kMostSeconds};
inline constexpr Bounds kShare{0, 1};

struct FieldInfo {
  const char* meaning;
  const char* unit = "";  // SI: "s", "B", "1" for a share; empty: no quantity
  Bounds bounds = {};
  bool may_be_missing = false;              // older reports lack it; then it is as in a new object
  bool is_absent_when_empty = false;        // of a list: a report without entries has no such key
  std::span<const char* const> words = {};  // a text's, where not any will do
  const char* axis = "";                    // of the page's chart of a metric against batch size; empty: none
  const char* since = "0.1.0";              // the release that brought it
};

// Of a field that came later: reports without it are read, too.
constexpr FieldInfo late(FieldInfo about) {
  about.may_be_missing = true;
  return about;
}

template <typename Owner, typename... Types>
struct Field {
  const char* key;
  std::variant<Types Owner::*...> member;
  FieldInfo about;
};

}  // namespace mpsbench::schema
