// Closed sets of names. Each set is an enum and one table, which is used wherever values are read or written.
#pragma once

#include "base/json_reader.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::schema {

// Each enum has a specialisation next to it. kWhat is what messages call one value; kRows is an array of rows
// in the enum's order. A row has the value, its name and the set's traits. If a row has help, users see it.
template <typename Enum>
struct ClosedSet {};

template <typename Enum>
concept Closed = requires { ClosedSet<Enum>::kRows; };

// A text in a template's argument.
template <std::size_t Size>
struct Text {
  consteval Text(const char (&text)[Size]) { std::copy_n(text, Size, characters); }  // NOLINT(*-explicit-*)
  char characters[Size]{};
};

// Most sets have only names, in the enum's order.
template <typename Enum>
struct NameRow {
  Enum value;
  std::string_view name;
};
template <typename Enum, Text What, Text... Names>
struct NameSet {
  static constexpr const char* kWhat = What.characters;
  static constexpr auto kRows = [] {
    std::array<NameRow<Enum>, sizeof...(Names)> rows{NameRow<Enum>{{}, Names.characters}...};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].value = static_cast<Enum>(i);
    return rows;
  }();
};

// Others have help, too.
template <typename Enum>
struct HelpRow {
  Enum value;
  std::string_view name;
  std::string_view help;
};
template <typename Enum>
HelpRow(Enum, std::string_view, std::string_view) -> HelpRow<Enum>;

// The compiler prints an enumerator by its name, and any other value as a cast: "(Mode)3".
template <auto Value>
[[nodiscard]] constexpr bool is_enumerator() {
  return std::string_view(__PRETTY_FUNCTION__).find("Value = (") == std::string_view::npos;
}

// Whether the rows are in the enum's order and none is missing.
template <Closed Enum>
[[nodiscard]] constexpr bool is_whole() {
  std::size_t next = 0;
  for (const auto& row : ClosedSet<Enum>::kRows) {
    if (static_cast<std::size_t>(row.value) != next++) return false;
  }
  return !is_enumerator<static_cast<Enum>(ClosedSet<Enum>::kRows.size())>();
}

template <Closed Enum>
[[nodiscard]] constexpr const auto& row_of(Enum value) {
  static_assert(is_whole<Enum>());
  return ClosedSet<Enum>::kRows.at(static_cast<std::size_t>(value));
}

template <Closed Enum>
[[nodiscard]] std::string to_string(Enum value) {
  return std::string(row_of(value).name);
}

// Returns nullopt for an unknown name.
template <Closed Enum>
[[nodiscard]] constexpr std::optional<Enum> parse_name(std::string_view name) {
  static_assert(is_whole<Enum>());
  for (const auto& row : ClosedSet<Enum>::kRows) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

template <Closed Enum>
[[nodiscard]] std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& row : ClosedSet<Enum>::kRows) names.emplace_back(row.name);
  return names;
}

// Returns "unknown WHAT "NAME"; known: a, b, c", with a suggestion if a known name is close.
[[nodiscard]] std::string unknown_name(const char* what, std::string_view name, const std::vector<std::string>& known);

// Throws an Error(usage) that lists the known names if the name at READER is unknown.
template <Closed Enum>
[[nodiscard]] Enum read_name(const base::Reader& reader) {
  const std::string name = reader.string();
  if (const auto value = parse_name<Enum>(name)) return *value;
  throw reader.error(unknown_name(ClosedSet<Enum>::kWhat, name, names_of<Enum>()));
}

}  // namespace mpsbench::schema
