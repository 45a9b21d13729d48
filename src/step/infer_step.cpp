#include "step/infer_step.hpp"

#include "base/clock.hpp"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <utility>

namespace mpsbench::step {

InferStep::InferStep(nn::Model& model, const data::Batch& batch, Precision precision, Gradients gradients,
                     Evidence* evidence)
    : InferStep(
          [&model, &batch, precision, device = batch.inputs.at(0).device().type()] {
            const PrecisionScope scope(precision, device);
            return model.forward(batch.inputs);
          },
          model, batch, gradients, evidence) {}

InferStep::InferStep(ForwardPass forward, const nn::Model& model, const data::Batch& batch, Gradients gradients,
                     Evidence* evidence)
    : forward_(std::move(forward)), model_(&model), batch_(&batch), gradients_(gradients), evidence_(evidence) {}

void InferStep::run() {
  const c10::InferenceMode inference(gradients_ == Gradients::none);
  const at::Tensor logits = forward_();
  if (evidence_ == nullptr) return;
  evidence_->take(*batch_, logits, {}, model_->parameters());
  evidence_ = nullptr;
}

schema::Evaluation evaluate(const schema::NetworkPlan& plan, const nn::Model& model, const data::DataOptions& options,
                            data::DataPart part, Precision precision) {
  const c10::InferenceMode inference;
  const c10::Device device = model.parameters().all().front().tensor.device();
  const auto batches = data::open_batches(options, plan, part);
  const auto network = model.evaluating();
  const PrecisionScope scope(precision, device.type());
  schema::Evaluation result{.part = part};
  const double begin = base::steady_seconds();
  batches->begin_epoch();
  while (const auto batch = batches->next()) {
    std::vector<at::Tensor> inputs;
    for (const at::Tensor& input : batch->inputs) inputs.push_back(input.to(device, /*non_blocking=*/true));
    const at::Tensor answers = network->forward(inputs).argmax(1).cpu();
    const at::Tensor target = batch->target.dim() == 1 ? batch->target : batch->target.argmax(1);
    ++result.steps;
    result.rows += target.size(0);
    result.correct += answers.eq(target).sum().item<std::int64_t>();
  }
  result.seconds = base::steady_seconds() - begin;
  return result;
}

}  // namespace mpsbench::step
