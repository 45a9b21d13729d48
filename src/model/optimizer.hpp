// Optimizers by name, with PyTorch's default settings.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::model {

[[nodiscard]] std::vector<std::string> optimizer_names();

// All settings of NAME, those in SETTINGS replaced. Throws Error(usage) for an unknown name or setting, or a
// value out of range; the message says which.
[[nodiscard]] schema::OptimizerSpec complete_optimizer(const std::string& name,
                                                       const std::map<std::string, double>& settings);

// {"name": "sgd", "lr": 0.001, ...}; switches are true/false or 1/0.
[[nodiscard]] schema::OptimizerSpec read_optimizer(base::Reader reader);

}  // namespace mpsbench::model
