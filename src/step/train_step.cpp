#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace mpsbench::step {

TrainStep::TrainStep(nn::Network& network, const nn::Parameters& parameters, const data::Batch& batch,
                     Precision precision, Loss loss_function, const schema::OptimizerSpec& optimizer,
                     OverflowCheck overflow_check, Evidence* evidence)
    : network_(&network),
      parameters_(&parameters),
      batch_(&batch),
      precision_(precision),
      loss_function_(loss_function),
      trainable_(parameters.trainable()),
      update_(overflow_check == OverflowCheck::host ? skipped_by_host(make_optimizer(optimizer, trainable_))
                                                    : make_optimizer(optimizer, trainable_)),
      accumulates_(optimizer.name == "none"),
      evidence_(evidence),
      device_(batch.target.device().type()) {
  if (precision == Precision::fp16) scaler_.emplace(batch.target.device());
}

void TrainStep::run() {
  if (!accumulates_) {
    for (at::Tensor& parameter : trainable_) parameter.mutable_grad().reset();
  }
  at::Tensor logits;
  at::Tensor loss;
  {
    const PrecisionScope scope(precision_, device_);
    logits = network_->forward(batch_->inputs);
    loss = loss_function_(logits, batch_->target);
  }
  if (evidence_ == nullptr) logits.reset();
  (scaler_ ? scaler_->scale(loss) : loss).backward();
  const at::NoGradGuard no_grad;
  if (scaler_) scaler_->unscale(trainable_);
  if (evidence_ != nullptr) {
    evidence_->take(*batch_, logits, loss, *parameters_);
    evidence_ = nullptr;
  }
  update_(scaler_ ? std::optional(scaler_->found_infinite()) : std::nullopt);
  if (scaler_) scaler_->update();
  last_loss_ = loss.detach();
}

std::optional<double> TrainStep::loss() {
  return last_loss_.defined() ? std::optional(last_loss_.item<double>()) : std::nullopt;
}

}  // namespace mpsbench::step
