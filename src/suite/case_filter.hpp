// --filter: a regular expression over the cases' ids. It may be a stranger's, of a suite, so its matching
// ends.
#pragma once

#include <regex>
#include <string>

namespace mpsbench::suite {

// Throws std::regex_error for a PATTERN that is none. GNU's library takes steps in proportion to pattern and
// id, which leaves out back-references.
[[nodiscard]] std::regex case_filter(const std::string& pattern);

// Throws Error(usage) where the library gives up.
[[nodiscard]] bool passes(const std::string& id, const std::regex& filter);

}  // namespace mpsbench::suite
