#include "step/infer_step.hpp"

#include <c10/core/InferenceMode.h>

namespace mpsbench::step {

InferStep::InferStep(nn::Model& model, const data::Batch& batch, Precision precision, Gradients gradients,
                     Evidence* evidence)
    : model_(&model),
      batch_(&batch),
      precision_(precision),
      gradients_(gradients),
      evidence_(evidence),
      device_(batch.inputs.at(0).device().type()) {}

void InferStep::run() {
  const c10::InferenceMode inference(gradients_ == Gradients::none);
  const PrecisionScope scope(precision_, device_);
  const at::Tensor logits = model_->forward(batch_->inputs);
  if (evidence_ == nullptr) return;
  evidence_->take(*batch_, logits, {}, model_->parameters());
  evidence_ = nullptr;
}

}  // namespace mpsbench::step
