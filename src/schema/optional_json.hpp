// Optional values in JSON: null means "not available".
#pragma once

#include "base/json_reader.hpp"
#include "schema/closed_set.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

template <Closed Enum>
nlohmann::ordered_json or_null(const std::optional<Enum>& value) {
  return value ? nlohmann::ordered_json(to_string(*value)) : nlohmann::ordered_json(nullptr);
}

// Reads a key that is required but whose value may be null.
inline std::optional<double> number_or_null(const base::Reader& reader) {
  return reader.is_null() ? std::nullopt : std::optional(reader.number());
}

inline std::optional<std::int64_t> count_or_null(const base::Reader& reader) {
  return reader.is_null() ? std::nullopt
                          : std::optional(reader.integer(0, std::numeric_limits<std::int64_t>::max()));
}

inline std::optional<std::string> string_or_null(const base::Reader& reader) {
  return reader.is_null() ? std::nullopt : std::optional(reader.string());
}

inline std::int64_t read_count(const base::Reader& reader) {
  return reader.integer(0, std::numeric_limits<std::int64_t>::max());
}

// Reads an object whose values are strings.
inline std::map<std::string, std::string> read_texts(base::Reader reader) {
  std::map<std::string, std::string> texts;
  for (const std::string& key : reader.keys()) texts[key] = reader.at(key).string();
  return texts;
}

}  // namespace mpsbench::schema
