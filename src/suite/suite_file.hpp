// A suite: configs/NAME.json, a list of matrices. Each matrix has its own settings, which override the
// suite's.
#pragma once

#include "suite/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace mpsbench::suite {

struct Suite {
  std::string name;
  std::string description;
  Settings settings;
  std::vector<Settings> matrices;  // each with the common settings already merged in
};

// Throws Error(usage) "FILE: PATH: what is wrong".
[[nodiscard]] Suite read_suite(const nlohmann::json& document, const std::string& file);

}  // namespace mpsbench::suite
