// Shared by tests: settings as from the command line, and the definitions of this project.
#pragma once

#include "suite/catalog.hpp"
#include "suite/host.hpp"
#include "suite/option.hpp"
#include "suite/settings.hpp"
#include "support/errors.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::tests {

// As on the command line, or as in the file SUITE.
inline suite::Settings settings_of(const std::vector<std::pair<std::string, std::string>>& texts,
                                   const std::string& suite = "") {
  suite::Settings settings;
  for (const auto& [name, text] : texts)
    suite::find_option(name)->set(settings, text, suite.empty() ? "--" + name : suite + ": $." + name);
  return settings;
}

// Returns a machine on which the devices NAMES are usable. If cuda or mps is not in NAMES, it is not found.
inline suite::DeviceList devices_here(const std::vector<std::string>& names) {
  std::vector<schema::DeviceStatus> devices;
  for (const std::string& name : names)
    devices.push_back({.device = schema::DeviceId::parse(name).value(), .built_in = true, .usable = true});
  for (const std::string kind : {"cuda", "mps"}) {
    if (std::find(names.begin(), names.end(), kind) != names.end()) continue;
    devices.push_back({.device = schema::DeviceId::parse(kind).value(), .reason = kind + " device not found"});
  }
  return [devices]() -> const std::vector<schema::DeviceStatus>& { return devices; };
}

inline const suite::Catalog& project_catalog() {
  static const suite::Catalog kCatalog(MPSBENCH_SOURCE_DIR);
  return kCatalog;
}
inline model::Definition definition_of(const std::string& model) {
  return project_catalog().load_model(model);
}

}  // namespace mpsbench::tests
