// Freezes the backbone, so that only the head trains.
#pragma once

#include "schema/network_plan.hpp"

namespace mpsbench::model {

// PLAN must be for training. Only the parameters of the last layer that has any (the head) stay trainable,
// and the backward pass ends at their gradient. So the counts of trainable parameters, backward
// multiplications and kept activations become those of the head. Throws Error(usage) if the plan runs a
// model file, because its layers are unknown.
void freeze_backbone(schema::NetworkPlan& plan);

}  // namespace mpsbench::model
