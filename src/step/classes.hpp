// Checks the number of a model file's outputs, which is not known in advance.
#pragma once

#include "data/synthetic.hpp"
#include "nn/model.hpp"
#include "schema/network_plan.hpp"

namespace mpsbench::step {

// Throws Error(usage) if PLAN runs a model file whose number of outputs per row is not the number of
// classes. Runs MODEL in evaluation mode.
void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch);

}  // namespace mpsbench::step
