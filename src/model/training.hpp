// What training adds to a network: the loss, the optimizer, and which parameters it changes.
#pragma once

#include "base/json_reader.hpp"
#include "schema/case_spec.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <vector>

namespace mpsbench::model {

// Cross-entropies of a row, of each token or of the next one, and others. mean is the mean of the logits and uses no
// target.
[[nodiscard]] std::vector<std::string> loss_names();

// Sets PLAN's loss and target for output of the shape LOGITS. Returns what is wrong, or "".
[[nodiscard]] std::string set_loss(schema::NetworkPlan& plan, const std::string& loss, const schema::Shape& logits);

// The known optimizers, with PyTorch's default settings.
[[nodiscard]] std::vector<std::string> optimizer_names();

// Returns the optimizer NAME with SETTINGS, and defaults for its other settings. Throws Error(usage) if a
// name or setting is unknown or a value is out of range.
[[nodiscard]] schema::OptimizerSpec complete_optimizer(const std::string& name,
                                                       const std::map<std::string, double>& settings);

// Returns the JSON Schema of an optimizer, for configs/schema/model.schema.json.
[[nodiscard]] nlohmann::ordered_json optimizer_json_schema();

// Reads {"name": "sgd", "lr": 0.001, ...}. Switches may be true, false, 1 or 0.
[[nodiscard]] schema::OptimizerSpec read_optimizer(base::Reader reader);

// PLAN must be for training. Only the parameters of the last layer that has any (the head) stay trainable,
// and the backward pass ends at their gradient. So the counts of trainable parameters, backward
// multiplications and kept activations become those of the head. Throws Error(usage) if the plan runs a
// model file, because its layers are unknown.
void freeze_backbone(schema::NetworkPlan& plan);

}  // namespace mpsbench::model
