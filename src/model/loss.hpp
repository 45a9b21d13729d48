// Loss functions and the targets that they need.
#pragma once

#include "schema/network_plan.hpp"

#include <string>
#include <vector>

namespace mpsbench::model {

// Returns cross_entropy, bce_with_logits, mse and mean, which is the mean of the logits and uses no target.
[[nodiscard]] std::vector<std::string> loss_names();

// Sets PLAN's loss and target for output of the shape LOGITS. Returns what is wrong, or "".
[[nodiscard]] std::string set_loss(schema::NetworkPlan& plan, const std::string& loss,
                                   const schema::Shape& logits);

}  // namespace mpsbench::model
