// Steps that run a package instead of the network's layers.
#pragma once

#include "input/data/synthetic.hpp"
#include "measure/step.hpp"
#include "nn/model.hpp"
#include "nn/package.hpp"
#include "step/evidence.hpp"
#include "step/train_step.hpp"

#include <memory>

namespace mpsbench::step {

// All references must outlive what is made. EVIDENCE may be null.
[[nodiscard]] std::unique_ptr<measure::Step> make_packaged_inference(const nn::Package& package, nn::Model& model,
                                                                     const data::Batch& batch, Evidence* evidence);
[[nodiscard]] std::unique_ptr<TrainingPass> make_packaged_pass(const nn::Package& package, nn::Model& model,
                                                               const data::Batch& batch);

}  // namespace mpsbench::step
