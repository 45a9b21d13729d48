// Json<T> says how a member of type T is written as JSON, read and checked, and described by JSON Schema.
// ObjectJson does the same for a whole object, from its table.
#pragma once

#include "base/json_reader.hpp"
#include "schema/field.hpp"
#include "schema/optional_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace mpsbench::schema {

template <typename T>
struct Json;

// The JSON Schema names a field's release only if it is later than this one.
inline constexpr std::string_view kFirstRelease = FieldInfo{""}.since;

template <>
struct Json<double> {
  static nlohmann::ordered_json write(double value) { return value; }
  static double read(const base::Reader& reader, const FieldInfo& about) {
    return reader.number(about.bounds.min, about.bounds.max);
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    nlohmann::ordered_json schema{{"type", "number"}};
    if (std::isfinite(about.bounds.min)) schema["minimum"] = about.bounds.min;
    if (std::isfinite(about.bounds.max)) schema["maximum"] = about.bounds.max;
    return schema;
  }
};

template <>
struct Json<std::int64_t> {
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  static std::int64_t least(const FieldInfo& about) {
    return static_cast<std::int64_t>(std::max(0.0, about.bounds.min));
  }
  static std::int64_t most(const FieldInfo& about) {
    return about.bounds.max < static_cast<double>(kMost) ? static_cast<std::int64_t>(about.bounds.max)
                                                         : kMost;
  }
  static nlohmann::ordered_json write(std::int64_t value) { return value; }
  static std::int64_t read(const base::Reader& reader, const FieldInfo& about) {
    return reader.integer(least(about), most(about));
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    return {{"type", "integer"}, {"minimum", least(about)}, {"maximum", most(about)}};
  }
};

template <>
struct Json<bool> {
  static nlohmann::ordered_json write(bool value) { return value; }
  static bool read(const base::Reader& reader, const FieldInfo&) { return reader.boolean(); }
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"type", "boolean"}}; }
};

template <>
struct Json<std::string> {
  static nlohmann::ordered_json write(const std::string& value) { return value; }
  static std::string read(const base::Reader& reader, const FieldInfo& about) {
    std::string text = reader.string();
    if (about.words.empty() || std::find(about.words.begin(), about.words.end(), text) != about.words.end())
      return text;
    std::string expected;
    for (const char* word : about.words) expected += (expected.empty() ? "" : " or ") + std::string(word);
    throw reader.error("expected " + expected);
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    if (about.words.empty()) return {{"type", "string"}};
    return {{"enum", std::vector<std::string>(about.words.begin(), about.words.end())}};
  }
};

template <Closed Enum>
struct Json<Enum> {
  static nlohmann::ordered_json write(Enum value) { return to_string(value); }
  static Enum read(const base::Reader& reader, const FieldInfo&) { return read_name<Enum>(reader); }
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"enum", names_of<Enum>()}}; }
};

template <>
struct Json<std::map<std::string, std::string>> {
  static nlohmann::ordered_json write(const std::map<std::string, std::string>& texts) { return texts; }
  static std::map<std::string, std::string> read(const base::Reader& reader, const FieldInfo&) {
    return read_texts(reader);
  }
  static nlohmann::ordered_json schema(const FieldInfo&) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
  }
};

template <typename T>
struct Json<std::optional<T>> {
  static nlohmann::ordered_json write(const std::optional<T>& value) {
    return value ? Json<T>::write(*value) : nlohmann::ordered_json(nullptr);
  }
  static std::optional<T> read(const base::Reader& reader, const FieldInfo& about) {
    return reader.is_null() ? std::nullopt : std::optional<T>(Json<T>::read(reader, about));
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    nlohmann::ordered_json schema = Json<T>::schema(about);
    if (!schema.contains("type")) return {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
    schema["type"] = {schema.at("type"), "null"};
    return schema;
  }
};

template <typename T>
struct Json<std::vector<T>> {
  static nlohmann::ordered_json write(const std::vector<T>& values) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const T& value : values) array.push_back(Json<T>::write(value));
    return array;
  }
  static std::vector<T> read(const base::Reader& reader, const FieldInfo& about) {
    std::vector<T> values;
    for (const base::Reader& item : reader.items()) values.push_back(Json<T>::read(item, about));
    return values;
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    return {{"type", "array"}, {"items", Json<T>::schema(about)}};
  }
};

// Lists of samples can be long, so they have their own reader in samples_json.hpp.
template <>
struct Json<std::vector<double>>;

// Reads and writes an object whose members are all listed in Table, a range of Field.
template <typename Owner, const auto& Table>
struct ObjectJson {
  template <typename Member>
  using Of = Json<std::remove_cvref_t<decltype(std::declval<Owner>().*std::declval<Member>())>>;

  static nlohmann::ordered_json write(const Owner& owner) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto& field : Table) {
      std::visit(
          [&](auto member) {
            nlohmann::ordered_json value = Of<decltype(member)>::write(owner.*member);
            if (!field.about.is_absent_when_empty || !value.empty())
              object.emplace(field.key, std::move(value));
          },
          field.member);
    }
    return object;
  }

  static Owner read(base::Reader reader, const FieldInfo& = {""}) {
    Owner owner;
    for (const auto& field : Table) {
      const auto value =
          field.about.may_be_missing ? reader.find(field.key) : std::optional(reader.at(field.key));
      if (!value) continue;
      std::visit([&](auto member) { owner.*member = Of<decltype(member)>::read(*value, field.about); },
                 field.member);
    }
    reader.done();
    return owner;
  }

  static nlohmann::ordered_json schema(const FieldInfo& = {""}) {
    nlohmann::ordered_json properties = nlohmann::ordered_json::object();
    std::vector<std::string> required;
    for (const auto& field : Table) {
      nlohmann::ordered_json& property = properties[field.key];
      std::visit([&](auto member) { property = Of<decltype(member)>::schema(field.about); }, field.member);
      property["description"] = field.about.meaning;
      if (*field.about.unit != '\0') property["x-unit"] = field.about.unit;
      if (field.about.since != kFirstRelease) property["x-since"] = field.about.since;
      if (!field.about.may_be_missing) required.emplace_back(field.key);
    }
    return {{"type", "object"},
            {"properties", properties},
            {"required", required},
            {"additionalProperties", false}};
  }
};

}  // namespace mpsbench::schema
