// Compares a network's output on a device with the CPU's, because a fast but wrong answer is not a result.
#pragma once

#include "data/synthetic.hpp"
#include "nn/model.hpp"
#include "schema/network_plan.hpp"
#include "step/precision.hpp"

#include <string>

namespace mpsbench::step {

// Runs up to two rows of BATCH in evaluation mode, through MODEL at PRECISION and through a copy of MODEL on
// the CPU in fp32. Returns what is wrong, or "" if the outputs agree.
[[nodiscard]] std::string check_output(const nn::Model& model, const data::Batch& batch, Precision precision);

// Only for TorchScript files, whose number of outputs is not known in advance. Throws Error(usage) if the
// number of outputs per row is not the number of classes.
void require_classes(const schema::NetworkPlan& plan, const nn::Model& model, const data::Batch& batch);

}  // namespace mpsbench::step
