// Training the head alone, the backbone frozen.
#pragma once

#include "schema/network_plan.hpp"

namespace mpsbench::model {

// Of a training PLAN: only the parameters of the last layer that has any stay trainable. The backward pass
// then ends at their gradient: the counts of trainable parameters, backward multiplications and of what
// training keeps become the head's. Throws Error(usage) for a plan that runs a TorchScript file, whose layers
// are not known.
void freeze_backbone(schema::NetworkPlan& plan);

}  // namespace mpsbench::model
