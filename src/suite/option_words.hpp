// Names of closed sets in the help texts of options.
#pragma once

#include "schema/closed_set.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::suite {

// Joins the names of a closed set: "a,b,c", if BETWEEN is a comma.
template <schema::Closed Enum>
[[nodiscard]] std::string names_text(const char* between) {
  std::string text;
  for (const std::string& name : schema::names_of<Enum>()) text += (text.empty() ? "" : between) + name;
  return text;
}

// Joins WORDS for a sentence: "a, b or c".
[[nodiscard]] inline std::string alternatives(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) text += (i + 1 < words.size() ? ", " : " or ") + words[i];
  return text;
}

// Joins the names that have a help text with that text: "a is this; b or c is that".
template <schema::Closed Enum>
[[nodiscard]] std::string told_of() {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> told;
  for (const auto& row : schema::ClosedSet<Enum>::kRows) {
    if (row.help.empty()) continue;
    const auto same =
        std::find_if(told.begin(), told.end(), [&](const auto& one) { return one.first == row.help; });
    if (same == told.end()) {
      told.push_back({row.help, {std::string(row.name)}});
    } else {
      same->second.emplace_back(row.name);
    }
  }
  std::string text;
  for (const auto& [help, names] : told)
    text += (text.empty() ? "" : "; ") + alternatives(names) + " " + std::string(help);
  return text;
}

}  // namespace mpsbench::suite
