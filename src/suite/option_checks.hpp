// What is wrong with the text of an option, or nothing.
#pragma once

#include "schema/closed_set.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace mpsbench::suite {

using Check = std::function<std::string(const std::string&)>;

// "a, b, c".
[[nodiscard]] std::string join(const std::vector<std::string>& items);

[[nodiscard]] Check any_text();
[[nodiscard]] Check one_of(std::vector<std::string> names);
template <schema::Closed Enum>
[[nodiscard]] Check one_of() {
  return one_of(schema::names_of<Enum>());
}
// Of each item between commas.
[[nodiscard]] Check each(Check check);
[[nodiscard]] Check whole_number(std::int64_t min,
                                 std::int64_t max = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] Check batch_sizes();
[[nodiscard]] Check duration();
[[nodiscard]] Check positive_duration();
[[nodiscard]] Check ratio();
[[nodiscard]] Check share(double least, double most);
[[nodiscard]] Check positive_number();
[[nodiscard]] Check probability();
[[nodiscard]] Check warmup();
// Part of the report's file name.
[[nodiscard]] Check host_name();
[[nodiscard]] Check regular_expression();

// The names of a one_of, alone or in an each; empty for another check.
[[nodiscard]] std::vector<std::string> choices_of(const Check& check);

}  // namespace mpsbench::suite
