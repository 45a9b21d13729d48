// What the user asks for: suites and options, laid over each other.
#pragma once

#include "suite/catalog.hpp"
#include "suite/settings.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

struct Request {
  std::string title;                      // of its suites, for the report's name
  suite::Settings settings;               // of the whole run
  std::vector<suite::Settings> matrices;  // none: neither a suite nor a model was named
};

// OPTIONS of the command line hide the suites' own. Throws Error(usage) for a suite that is wrong or is not
// there.
[[nodiscard]] Request read_request(const suite::Catalog& catalog, const std::vector<std::string>& suites,
                                   const suite::Settings& options);

}  // namespace mpsbench::run
