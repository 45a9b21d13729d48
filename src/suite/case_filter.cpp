#include "suite/case_filter.hpp"

#include "base/error.hpp"

namespace mpsbench::suite {

std::regex case_filter(const std::string& pattern) {
  auto flags = std::regex::ECMAScript;
#if defined(__GLIBCXX__)
  flags |= std::regex_constants::__polynomial;
#endif
  return std::regex(pattern, flags);
}

bool passes(const std::string& id, const std::regex& filter) {
  try {
    return std::regex_search(id, filter);
  } catch (const std::regex_error&) {
    throw base::usage_error("--filter: the expression is too complex to match  " + base::excerpt(id) +
                            "; write a simpler expression");
  }
}

}  // namespace mpsbench::suite
