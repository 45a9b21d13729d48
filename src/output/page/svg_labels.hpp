// Places labels next to the ends of lines so that they do not overlap.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

// Returns places for labels that should be near WANTED, between LOW and HIGH and at least GAP apart, in
// WANTED's order. Returns nullopt if there is no room for all of them.
[[nodiscard]] std::optional<std::vector<double>> label_places(const std::vector<double>& wanted, double gap,
                                                              double low, double high);

// Returns the approximate width of WORDS in a drawing's units.
[[nodiscard]] double text_width(const std::string& words);

}  // namespace mpsbench::output
