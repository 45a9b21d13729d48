// A fast wrong answer is no result: a network's output on a device against the CPU's.
#pragma once

#include "data/synthetic.hpp"
#include "nn/model.hpp"
#include "schema/network_plan.hpp"
#include "step/precision.hpp"

#include <string>

namespace mpsbench::step {

// Up to two rows of BATCH through MODEL in evaluation mode, where it is and at PRECISION, and through its
// copy on the CPU in fp32. Empty, or what is wrong.
[[nodiscard]] std::string check_output(const nn::Model& model, const data::Batch& batch, Precision precision);

// For networks of code of their own, whose outputs nobody knows beforehand: throws Error(usage) when they are
// not as many a row as the targets need.
void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch);

}  // namespace mpsbench::step
