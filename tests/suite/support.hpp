// What the tests of suite/ share: settings as from the command line, and the definitions of this project.
#pragma once

#include "suite/catalog.hpp"
#include "suite/settings.hpp"
#include "support/errors.hpp"

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::tests {

inline suite::Settings settings_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  suite::Settings settings;
  for (const auto& [name, text] : texts) settings.set(*suite::find_option(name), text, "--" + name);
  return settings;
}

inline suite::Catalog project_catalog() {
  return suite::Catalog(MPSBENCH_SOURCE_DIR);
}
inline model::Definition definition_of(const std::string& model) {
  return project_catalog().load_model(model);
}

}  // namespace mpsbench::tests
