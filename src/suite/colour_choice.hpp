// --color: whether output is coloured.
#pragma once

#include "schema/closed_set.hpp"

#include <array>

namespace mpsbench::suite {

enum class ColourChoice { automatic, always, never };

struct ColourChoiceRow {
  ColourChoice value;
  std::string_view name;
};

}  // namespace mpsbench::suite

template <>
struct mpsbench::schema::ClosedSet<mpsbench::suite::ColourChoice> {
  using Choice = suite::ColourChoice;
  using Row = suite::ColourChoiceRow;
  static constexpr const char* kWhat = "use of colour";
  static constexpr std::array kRows{Row{Choice::automatic, "auto"}, Row{Choice::always, "always"},
                                    Row{Choice::never, "never"}};
};
static_assert(mpsbench::schema::is_whole<mpsbench::suite::ColourChoice>());
