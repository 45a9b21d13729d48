// The environment variables that change how fast networks run. Reports show them and no others.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace mpsbench::report {

struct Variable {
  std::string_view name;  // with a "*" at its end: all that begin like this
  const char* effect;     // what it does to speed
  // Whether this value makes networks slower; null: none is known to.
  bool (*slows)(std::string_view value) = nullptr;

  [[nodiscard]] bool is_family() const { return name.ends_with('*'); }
};

[[nodiscard]] bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts);

// Returns the row of the variable NAME, or null if reports do not show it.
[[nodiscard]] const Variable* find_variable(std::string_view name);

// Returns the row if NAME=VALUE makes networks slower, otherwise null.
[[nodiscard]] const Variable* find_slow_variable(std::string_view name, std::string_view value);

// Returns all rows as the Markdown table that docs/report.md contains below the line "<!-- variables -->".
[[nodiscard]] std::string variable_table();

}  // namespace mpsbench::report
