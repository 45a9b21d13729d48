// Everything a step reads must lie on its device.
#pragma once

#include "data/synthetic.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"

#include <c10/core/Device.h>

namespace mpsbench::step {

// Throws Error(usage) that names the first tensor elsewhere: of BATCH by PLAN's inputs, or of PARAMETERS.
void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch,
                       const nn::Parameters& parameters, const c10::Device& device);

}  // namespace mpsbench::step
