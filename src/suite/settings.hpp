// Option values as texts, each with the place it came from, layer over layer: definition, suite, matrix,
// command line.
#pragma once

#include "base/error.hpp"
#include "base/json_reader.hpp"
#include "schema/closed_set.hpp"
#include "suite/option.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::suite {

struct Setting {
  std::string text;
  std::string origin;  // "--batch-size" or "quick.json: $.matrices[0].batch-size", for messages
};

class Settings {
 public:
  // Checks the form of TEXT. Throws Error(usage) with ORIGIN.
  void set(const Option& option, const std::string& text, const std::string& origin);
  // All keys of a suite's object that are options of one of the ALLOWED groups.
  void read(base::Reader& reader, const std::vector<OptionGroup>& allowed);
  // Those of ABOVE hide mine; epochs and iterations, of which a case has one, also each other.
  [[nodiscard]] Settings overlaid_with(const Settings& above) const;

  [[nodiscard]] Settings without(const std::vector<std::string>& names) const;

  [[nodiscard]] bool has(const std::string& name) const { return settings_.contains(name); }
  [[nodiscard]] bool empty() const { return settings_.empty(); }

  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> list(const std::string& name,
                                              const std::vector<std::string>& otherwise) const;
  // A value, or a list of values, of a closed set. Throws Error(usage) with the origin for an unknown name.
  template <schema::Closed Enum>
  [[nodiscard]] std::optional<Enum> choice(const std::string& name) const;
  template <schema::Closed Enum>
  [[nodiscard]] std::vector<Enum> choices(const std::string& name, const std::vector<Enum>& otherwise) const;
  [[nodiscard]] std::optional<std::int64_t> count(const std::string& name) const;
  [[nodiscard]] std::optional<double> number(const std::string& name) const;
  [[nodiscard]] std::optional<double> seconds(const std::string& name) const;
  [[nodiscard]] std::optional<double> ratio(const std::string& name) const;

  // Where NAME, which is set, was set.
  [[nodiscard]] const std::string& origin(const std::string& name) const { return settings_.at(name).origin; }

  // An error that names the place where NAME was set (or its option, if it was not).
  [[nodiscard]] base::Error error(const std::string& name, const std::string& message) const;

 private:
  template <schema::Closed Enum>
  [[nodiscard]] Enum parse(const std::string& name, const std::string& text) const;

  std::map<std::string, Setting> settings_;
};

template <schema::Closed Enum>
Enum Settings::parse(const std::string& name, const std::string& text) const {
  if (const auto value = schema::parse_name<Enum>(text)) return *value;
  throw error(name, schema::unknown_name(schema::ClosedSet<Enum>::kWhat, text, schema::names_of<Enum>()));
}

template <schema::Closed Enum>
std::optional<Enum> Settings::choice(const std::string& name) const {
  const auto found = text(name);
  return found ? std::optional(parse<Enum>(name, *found)) : std::nullopt;
}

template <schema::Closed Enum>
std::vector<Enum> Settings::choices(const std::string& name, const std::vector<Enum>& otherwise) const {
  if (!has(name)) return otherwise;
  std::vector<Enum> values;
  for (const std::string& text : list(name, {})) values.push_back(parse<Enum>(name, text));
  return values;
}

}  // namespace mpsbench::suite
