// How many rows a trained network gets right.
#pragma once

#include "data/batches.hpp"
#include "nn/model.hpp"
#include "schema/launch.hpp"
#include "schema/network_plan.hpp"
#include "step/precision.hpp"

namespace mpsbench::step {

// One pass over PART of the data set by MODEL in evaluation mode. Compared on the host, where a count can be
// trusted (a published 0.00 % was the device's). The clock runs from the first batch's asking to the last
// one's answer.
[[nodiscard]] schema::Evaluation evaluate(const schema::NetworkPlan& plan, const nn::Model& model,
                                          const data::DataOptions& options, data::DataPart part,
                                          Precision precision);

}  // namespace mpsbench::step
