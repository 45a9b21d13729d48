// Checks the number of a model file's outputs, which is not known in advance.
#pragma once

#include "data/synthetic.hpp"
#include "nn/model.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>

namespace mpsbench::step {

// Throws Error(usage) if PLAN runs a model file whose output does not fit the loss. LEAST_CLASSES is what the
// data set needs, or 0. Runs MODEL in evaluation mode.
void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch,
                     std::int64_t least_classes);

}  // namespace mpsbench::step
