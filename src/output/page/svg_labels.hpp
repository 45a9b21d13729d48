// Labels beside the ends of lines, none on another.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

// Where labels that belong at WANTED go, between LOW and HIGH and at least GAP apart, in WANTED's order;
// nullopt when there is no room for them all.
[[nodiscard]] std::optional<std::vector<double>> label_places(const std::vector<double>& wanted, double gap,
                                                              double low, double high);

// FieldInfo how wide WORDS are in a drawing's units.
[[nodiscard]] double text_width(const std::string& words);

}  // namespace mpsbench::output
