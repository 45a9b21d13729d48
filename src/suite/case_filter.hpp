// --filter: a regular expression that selects cases by their ids. It may come from somebody else's suite, so
// matching must always end.
#pragma once

#include <regex>
#include <string>

namespace mpsbench::suite {

// Throws std::regex_error if PATTERN is not a regular expression. With GNU's library the number of matching
// steps is proportional to the lengths of pattern and id, which excludes back-references.
[[nodiscard]] std::regex case_filter(const std::string& pattern);

// Throws Error(usage) if the library gives up because matching is too complex.
[[nodiscard]] bool passes(const std::string& id, const std::regex& filter);

}  // namespace mpsbench::suite
