// Helpers that send structs through JSON text and back, and that change one place in a document.
#pragma once

#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "support/errors.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace mpsbench::tests {

using nlohmann::json;

// Returns VALUE as if read from a file: it is printed and parsed again, which loses the order of keys and the
// C++ types.
inline json reparsed(const nlohmann::ordered_json& value) {
  return base::parse_json(base::to_text(value), "text");
}
inline json reparsed(const json& value) {
  return base::parse_json(base::to_text(value), "text");
}

// Expects that VALUE, once read back, prints the same as before.
template <typename T, typename Read>
T expect_round_trip(const T& value, Read read) {
  const json document = reparsed(to_json(value));
  const T back = read(base::Reader(document, "f.json"));
  EXPECT_EQ(reparsed(to_json(back)), document);
  return back;
}

// with() sets the value at POINTER (such as "/run/seed") in DOCUMENT; without() removes it.
inline json with(json document, const std::string& pointer, const json& value) {
  document[json::json_pointer(pointer)] = value;
  return document;
}
inline json without(json document, const std::string& pointer) {
  const json::json_pointer place(pointer);
  document[place.parent_pointer()].erase(place.back());
  return document;
}

// Returns the message of the error that READ throws for DOCUMENT.
template <typename Read>
std::string refusal(const json& document, Read read) {
  return usage_error_of([&] { (void)read(base::Reader(document, "f.json")); });
}

// Expects that READ refuses DOCUMENT if a key of one of its objects is missing (unless it is in OPTIONAL) or
// if there is an extra key. Objects at MAPS may have any keys. OPTIONAL and MAPS are lists of JSON pointers.
template <typename Read>
void expect_exact_keys(const json& document, Read read, const std::set<std::string>& optional = {},
                       const std::set<std::string>& maps = {}) {
  const auto is_free = [&](const std::string& pointer) {
    for (const std::string& free : maps) {
      if (pointer == free || pointer.rfind(free + "/", 0) == 0) return true;
    }
    return false;
  };
  const json flat = document.flatten();
  std::set<std::string> objects{""};
  std::set<std::string> keys;
  for (const auto& [leaf, unused] : flat.items()) {
    for (json::json_pointer place(leaf); !place.empty(); place = place.parent_pointer()) {
      const bool in_object = document.at(place.parent_pointer()).is_object();
      if (document.at(place).is_object()) objects.insert(place.to_string());
      if (in_object) keys.insert(place.to_string());
    }
  }
  for (const std::string& key : keys) {
    if (is_free(key)) continue;
    if (optional.contains(key)) {
      (void)read(base::Reader(without(document, key), "f.json"));
      continue;
    }
    SCOPED_TRACE("without " + key);
    EXPECT_TRUE(contains(refusal(without(document, key), read), " is missing"));
  }
  for (const std::string& object : objects) {
    if (is_free(object)) continue;
    SCOPED_TRACE("surprise in " + object);
    EXPECT_TRUE(contains(refusal(with(document, object + "/surprise", 1), read), "unknown key 'surprise'"));
  }
}

}  // namespace mpsbench::tests
