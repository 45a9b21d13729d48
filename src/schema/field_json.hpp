// Json<T> says how a member of type T is written as JSON, read and checked, and described by JSON Schema.
// ObjectJson does the same for a whole object, from its table.
#pragma once

#include "base/json_reader.hpp"
#include "base/units.hpp"
#include "schema/closed_set.hpp"
#include "schema/device_id.hpp"
#include "schema/field.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpsbench::schema {

template <typename T>
struct Json;

template <>
struct Json<double> {
  static nlohmann::ordered_json write(double value) { return value; }
  static double read(const base::Reader& reader, const FieldInfo& about) {
    if (about.bounds.min != kAboveZero) return reader.number(about.bounds.min, about.bounds.max);
    const double value = reader.number();
    if (!(value > 0) || value > about.bounds.max) throw reader.error("expected a number above zero");
    return value;
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    nlohmann::ordered_json schema{{"type", "number"}};
    if (about.bounds.min == kAboveZero) {
      schema["exclusiveMinimum"] = 0;
    } else if (std::isfinite(about.bounds.min)) {
      schema["minimum"] = about.bounds.min;
    }
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
    return about.bounds.max < static_cast<double>(kMost) ? static_cast<std::int64_t>(about.bounds.max) : kMost;
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
struct Json<int> {
  static nlohmann::ordered_json write(int value) { return value; }
  static int read(const base::Reader& reader, const FieldInfo&) {
    return static_cast<int>(reader.integer(0, std::numeric_limits<int>::max()));
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
    if (about.form != nullptr && !about.form->is_good(text))
      throw reader.error(std::string("expected ") + about.form->expected);
    if (about.words.empty() || std::find(about.words.begin(), about.words.end(), text) != about.words.end())
      return text;
    throw reader.error("expected " + base::join(about.words, " or "));
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    if (about.form != nullptr) return {{"type", "string"}, {"pattern", about.form->pattern}};
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

// Any JSON value.
template <>
struct Json<nlohmann::json> {
  static nlohmann::ordered_json write(const nlohmann::json& value) { return value; }
  static nlohmann::json read(const base::Reader& reader, const FieldInfo&) { return reader.value(); }
};

template <>
struct Json<DeviceId> {
  static nlohmann::ordered_json write(const DeviceId& device) { return to_string(device); }
  static DeviceId read(const base::Reader& reader, const FieldInfo&) { return read_device_id(reader); }
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"type", "string"}}; }
};

// The keys are texts, names of a closed set, or numbers from 2 on.
template <typename Key, typename T>
struct Json<std::map<Key, T>> {
  static nlohmann::ordered_json write(const std::map<Key, T>& values) {
    std::vector<std::pair<std::string, nlohmann::ordered_json>> members;
    for (const auto& [key, value] : values) members.emplace_back(text_of(key), Json<T>::write(value));
    if constexpr (Closed<Key>) std::ranges::sort(members, {}, [](const auto& one) { return one.first; });
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (auto& [key, value] : members) object.emplace(key, std::move(value));
    return object;
  }
  static std::map<Key, T> read(base::Reader reader, const FieldInfo& about) {
    std::map<Key, T> values;
    for (const std::string& key : reader.keys()) {
      const base::Reader value = reader.at(key);
      values.emplace(read_key(value, key), Json<T>::read(value, about));
    }
    return values;
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    nlohmann::ordered_json schema{{"type", "object"}};
    if constexpr (std::is_integral_v<Key>) schema["propertyNames"] = {{"pattern", "^[1-9][0-9]*$"}};
    schema["additionalProperties"] = Json<T>::schema(about);
    if constexpr (Closed<Key>) schema["propertyNames"] = {{"enum", names_of<Key>()}};
    return schema;
  }

 private:
  static std::string text_of(const Key& key) {
    if constexpr (std::is_integral_v<Key>) {
      return std::to_string(key);
    } else if constexpr (Closed<Key>) {
      return to_string(key);
    } else {
      return key;
    }
  }
  static Key read_key(const base::Reader& value, const std::string& key) {
    if constexpr (std::is_integral_v<Key>) {
      const auto number = base::parse_whole_number(key);
      if (!number || *number < 2) throw value.error("expected a whole number from 2 on as the key");
      return *number;
    } else if constexpr (Closed<Key>) {
      const auto known = parse_name<Key>(key);
      if (!known) throw value.error(unknown_name(ClosedSet<Key>::kWhat, key, names_of<Key>()));
      return *known;
    } else {
      return key;
    }
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

// The samples of a launch.
template <>
struct Json<std::vector<double>> {
  // No launch takes as many. A limit is needed because some analyses take quadratic time.
  static constexpr std::size_t kMost = 10'000;

  static nlohmann::ordered_json write(const std::vector<double>& samples) { return samples; }
  static std::vector<double> read(const base::Reader& reader, const FieldInfo& about) {
    std::vector<double> samples = reader.numbers();
    if (samples.size() > kMost) {
      throw reader.error("has " + std::to_string(samples.size()) + " samples, more than the " + std::to_string(kMost) +
                         " that a launch can have");
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i] < about.bounds.min || samples[i] > about.bounds.max)
        (void)Json<double>::read(reader.item(i), about);  // throws the right error
    }
    return samples;
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    return {{"type", "array"}, {"items", Json<double>::schema(about)}, {"maxItems", kMost}};
  }
};

inline constexpr TextForm kSha256Form{"^[0-9a-f]{64}$", "64 hexadecimal digits", [](std::string_view text) {
                                        return text.size() == 64 &&
                                               text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
                                      }};

// Reads and writes an object by its table. A function check_read(owner, reader) beside its struct refuses what
// does not fit together.
template <typename Owner>
struct ObjectJson {
  template <typename Member>
  using Of = Json<std::remove_cvref_t<decltype(std::declval<Owner>().*std::declval<Member>())>>;

  static nlohmann::ordered_json write(const Owner& owner) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto& field : kFields<Owner>) {
      nlohmann::ordered_json value =
          field.member.visit([&](auto member) { return Of<decltype(member)>::write(owner.*member); });
      if (!field.about.is_absent_when_empty || !value.empty()) object.emplace(field.key, std::move(value));
    }
    return object;
  }

  static Owner read(base::Reader reader, const FieldInfo& = {}) {
    Owner owner;
    for (const auto& field : kFields<Owner>) {
      const auto value =
          field.about.is_absent_when_empty ? reader.find(field.key) : std::optional(reader.at(field.key));
      if (!value) continue;
      field.member.visit([&](auto member) { owner.*member = Of<decltype(member)>::read(*value, field.about); });
    }
    reader.done();
    if constexpr (requires { check_read(owner, reader); }) check_read(owner, reader);
    return owner;
  }

  static nlohmann::ordered_json schema(const FieldInfo&) {
    if (*kFields<Owner>.definition == '\0') return Json<Owner>::definition();
    return {{"$ref", std::string("#/$defs/") + kFields<Owner>.definition}};
  }

  static nlohmann::ordered_json definition() {
    nlohmann::ordered_json properties = nlohmann::ordered_json::object();
    std::vector<std::string> required;
    for (const auto& field : kFields<Owner>) {
      nlohmann::ordered_json& property = properties[field.key];
      property = field.member.visit([&](auto member) { return Of<decltype(member)>::schema(field.about); });
      property["description"] = field.about.meaning;
      if (*field.about.unit != '\0') property["x-unit"] = field.about.unit;
      if (!field.about.is_absent_when_empty) required.emplace_back(field.key);
    }
    return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
  }
};

template <HasFields Owner>
struct Json<Owner> : ObjectJson<Owner> {};

// Writes and reads a value that has a table. Reading throws Error(usage), which names the file and the place.
template <typename T>
  requires requires(const T& value) { Json<T>::write(value); }
[[nodiscard]] nlohmann::ordered_json to_json(const T& value) {
  return Json<T>::write(value);
}
template <typename T>
[[nodiscard]] T from_json(const base::Reader& reader) {
  return Json<T>::read(reader, {});
}

}  // namespace mpsbench::schema
