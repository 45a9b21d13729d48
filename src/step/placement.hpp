// Checks that all tensors that a step reads are on its device.
#pragma once

#include "data/synthetic.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"

#include <c10/core/Device.h>

namespace mpsbench::step {

// Throws an Error(usage) that names the first tensor of BATCH or PARAMETERS that is not on the step's device.
// Inputs have PLAN's names.
void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch,
                       const nn::Parameters& parameters, const c10::Device& device);

}  // namespace mpsbench::step
