#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <utility>

namespace mpsbench::step {
namespace {

Update make_update(const TrainSettings& settings, const std::vector<at::Tensor>& parameters) {
  Update update = make_optimizer(settings.optimizer, parameters);
  return settings.overflow_check == OverflowCheck::host ? skipped_by_host(std::move(update)) : update;
}

}  // namespace

TrainStep::TrainStep(nn::Model& model, const data::Batch& batch, const TrainSettings& settings,
                     Evidence* evidence)
    : model_(&model),
      batch_(&batch),
      precision_(settings.precision),
      loss_function_(settings.loss),
      trainable_(model.parameters().trainable()),
      update_(make_update(settings, trainable_)),
      gradient_hook_(settings.gradient_hook),
      accumulates_(settings.optimizer.name == "none"),
      evidence_(evidence),
      device_(batch.target.device().type()) {
  if (precision_ == Precision::fp16) scaler_.emplace(batch.target.device());
}

void TrainStep::run_with(measure::EventClock* clock) {
  if (!accumulates_) {
    for (at::Tensor& parameter : trainable_) parameter.mutable_grad().reset();
  }
  at::Tensor logits;
  at::Tensor loss;
  {
    const PrecisionScope scope(precision_, device_);
    logits = model_->forward(batch_->inputs);
    loss = loss_function_(logits, batch_->target);
  }
  if (evidence_ == nullptr) logits.reset();
  if (clock != nullptr) clock->mark();
  (scaler_ ? scaler_->scale(loss) : loss).backward();
  const at::NoGradGuard no_grad;
  if (gradient_hook_ != nullptr) gradient_hook_->apply(trainable_);
  if (scaler_) scaler_->unscale(trainable_);
  if (evidence_ != nullptr) {
    evidence_->take(*batch_, logits, loss, model_->parameters());
    evidence_ = nullptr;
  }
  if (clock != nullptr) clock->mark();
  update_(scaler_ ? std::optional(scaler_->found_infinite()) : std::nullopt);
  if (scaler_) scaler_->update();
  last_loss_ = loss.detach();
  if (clock != nullptr) clock->mark();
}

std::optional<double> TrainStep::loss() {
  return last_loss_.defined() ? std::optional(last_loss_.item<double>()) : std::nullopt;
}

}  // namespace mpsbench::step
