// The known optimizers, with PyTorch's default settings.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::model {

[[nodiscard]] std::vector<std::string> optimizer_names();

// Returns the optimizer NAME with SETTINGS, and defaults for its other settings. Throws Error(usage) if a
// name or setting is unknown or a value is out of range.
[[nodiscard]] schema::OptimizerSpec complete_optimizer(const std::string& name,
                                                       const std::map<std::string, double>& settings);

// Reads {"name": "sgd", "lr": 0.001, ...}. Switches may be true, false, 1 or 0.
[[nodiscard]] schema::OptimizerSpec read_optimizer(base::Reader reader);

}  // namespace mpsbench::model
