// Loss functions: what target each needs.
#pragma once

#include "schema/network_plan.hpp"

#include <string>
#include <vector>

namespace mpsbench::model {

// cross_entropy, bce_with_logits, mse, mean (of the logits: the target is not used).
[[nodiscard]] std::vector<std::string> loss_names();

// Fills PLAN's loss and target for logits of SHAPE. Returns what is wrong, or nothing.
[[nodiscard]] std::string set_loss(schema::NetworkPlan& plan, const std::string& loss,
                                   const schema::Shape& logits);

}  // namespace mpsbench::model
