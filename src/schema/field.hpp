// Tables of the keys in a report's objects. A row says which member belongs to a key and what the value
// means. field_json.hpp uses the tables to read and write JSON and to make the JSON Schema.
#pragma once

#include <limits>
#include <span>
#include <variant>

namespace mpsbench::schema {

// The allowed range of a number, or of each number in a list. Whole numbers are counts, so they are at least
// 0 even if MIN is lower.
struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// The longest time that a report may contain.
inline constexpr double kMostSeconds = 1e9;
inline constexpr Bounds kTime{0, kMostSeconds};
inline constexpr Bounds kShare{0, 1};

struct FieldInfo {
  const char* meaning;
  const char* unit = "";  // SI: "s", "B", "1" for a share; empty: the value has no unit
  Bounds bounds = {};
  bool may_be_missing = false;              // older reports lack it; then it has its default value
  bool is_absent_when_empty = false;        // an empty list, or null, is not written
  std::span<const char* const> words = {};  // the allowed values of a string; empty: any string
  const char* axis = "";                    // axis title of its chart against batch size; empty: no chart
  const char* since = "0.1.0";              // the release that introduced it
};

// Marks a field that was added later: reports without it can still be read.
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
