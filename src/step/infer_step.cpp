#include "step/infer_step.hpp"

#include <c10/core/InferenceMode.h>

namespace mpsbench::step {

InferStep::InferStep(nn::Network& network, const nn::Parameters& parameters, const data::Batch& batch,
                     Precision precision, Gradients gradients, Evidence* evidence)
    : network_(&network),
      parameters_(&parameters),
      batch_(&batch),
      precision_(precision),
      gradients_(gradients),
      evidence_(evidence),
      device_(batch.inputs.at(0).device().type()) {}

void InferStep::run() {
  const c10::InferenceMode inference(gradients_ == Gradients::none);
  const PrecisionScope scope(precision_, device_);
  const at::Tensor logits = network_->forward(batch_->inputs);
  if (evidence_ == nullptr) return;
  evidence_->take(*batch_, logits, {}, *parameters_);
  evidence_ = nullptr;
}

}  // namespace mpsbench::step
