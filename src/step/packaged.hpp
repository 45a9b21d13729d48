// What steps run of a package instead of the network's layers.
#pragma once

#include "input/data/batches.hpp"
#include "nn/model.hpp"
#include "nn/model_files.hpp"
#include "step/infer_step.hpp"
#include "step/train_step.hpp"

#include <memory>

namespace mpsbench::step {

// All references but PACKAGE must outlive what is made.
[[nodiscard]] ForwardPass make_packaged_forward(const nn::Package& package, nn::Model& model, const data::Batch& batch);
[[nodiscard]] std::unique_ptr<TrainingPass> make_packaged_pass(const nn::Package& package, nn::Model& model,
                                                               const data::Batch& batch);

}  // namespace mpsbench::step
