// Counts the rows that a trained network classifies correctly.
#pragma once

#include "data/batches.hpp"
#include "nn/model.hpp"
#include "schema/launch.hpp"
#include "schema/network_plan.hpp"
#include "step/precision.hpp"

namespace mpsbench::step {

// Runs MODEL in evaluation mode once over PART of the data set. The comparison is done on the host, because a
// device's count may be wrong (as in a published 0.00 %). The clock runs from the request for the first batch
// to the answer for the last.
[[nodiscard]] schema::Evaluation evaluate(const schema::NetworkPlan& plan, const nn::Model& model,
                                          const data::DataOptions& options, data::DataPart part,
                                          Precision precision);

}  // namespace mpsbench::step
