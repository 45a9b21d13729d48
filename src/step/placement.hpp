// Checks of a network and its batch before a step is measured.
#pragma once

#include "input/data/synthetic.hpp"
#include "nn/model.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"

#include <c10/core/Device.h>

#include <cstdint>

namespace mpsbench::step {

// Checks the number of a model file's outputs, which is not known in advance.

// Throws Error(usage) if PLAN runs a model file whose output does not fit the loss. LEAST_CLASSES is what the
// data set needs, or 0. Runs MODEL in evaluation mode.
void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch,
                     std::int64_t least_classes);

// Checks that all tensors that a step reads are on its device.

// Throws an Error(usage) that names the first tensor of BATCH or PARAMETERS that is not on the step's device.
// Inputs have PLAN's names.
void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch, const nn::Parameters& parameters,
                       const c10::Device& device);

}  // namespace mpsbench::step
