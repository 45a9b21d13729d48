// What the user asks for: suites, overlaid with the options of the command line.
#pragma once

#include "suite/catalog.hpp"
#include "suite/settings.hpp"

#include <string>
#include <vector>

namespace mpsbench::run {

struct RunRequest {
  std::string title;                      // the names of the suites, for the report's name
  suite::Settings settings;               // for the whole run
  std::vector<suite::Settings> matrices;  // empty if the user named neither a suite nor a model
};

// OPTIONS of the command line override those of the suites. Throws Error(usage) if a suite is invalid or does
// not exist.
[[nodiscard]] RunRequest read_request(const suite::Catalog& catalog, const std::vector<std::string>& suites,
                                      const suite::Settings& options);

}  // namespace mpsbench::run
