// Tables of the keys in a report's objects. A row says which member belongs to a key and what the value
// means. field_json.hpp uses the tables to read and write JSON and to make the JSON Schema.
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <variant>

namespace mpsbench::schema {

// The allowed range of a number, or of each number in a list. Whole numbers are counts, so they are at least
// 0 even if MIN is lower.
struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

inline constexpr double kAboveZero = std::numeric_limits<double>::min();
inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The longest time that a report may contain.
inline constexpr double kMostSeconds = 1e9;
inline constexpr Bounds kTime{0, kMostSeconds};
inline constexpr Bounds kShare{0, 1};
inline constexpr Bounds kRate{kAboveZero, kInfinite};
inline constexpr Bounds kFromOne{1, kInfinite};

// What a text must look like.
struct TextForm {
  const char* pattern;   // for the JSON Schema
  const char* expected;  // what the message says
  bool (*is_good)(std::string_view text);
};

struct FieldInfo {
  const char* meaning = "";
  const char* unit = "";  // SI: "s", "B", "1" for a share; empty: the value has no unit
  Bounds bounds = {};
  bool is_absent_when_empty = false;        // an empty list, or null, is not written and may be missing
  std::span<const char* const> words = {};  // the allowed values of a string; empty: any string
  const TextForm* form = nullptr;           // of a string, or of each text in a list; null: any
  bool is_detail = false;                   // how a value came about, which comparing reports does not look at
};

template <typename Owner, typename... Types>
struct Field {
  const char* key;
  std::variant<Types Owner::*...> member;
  FieldInfo about = {};
};

}  // namespace mpsbench::schema
