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
    : TrainStep(make_eager_pass(model, batch, settings.precision, settings.loss), model, batch, settings,
                evidence) {}

TrainStep::TrainStep(std::unique_ptr<TrainingPass> pass, nn::Model& model, const data::Batch& batch,
                     const TrainSettings& settings, Evidence* evidence)
    : pass_(std::move(pass)),
      model_(&model),
      batch_(&batch),
      trainable_(model.parameters().trainable()),
      update_(make_update(settings, trainable_)),
      gradient_hook_(settings.gradient_hook),
      accumulates_(settings.optimizer.name == "none"),
      evidence_(evidence) {
  if (settings.precision == Precision::fp16) scaler_.emplace(batch.target.device());
}

void TrainStep::run_with(measure::EventClock* clock) {
  if (!accumulates_) {
    for (at::Tensor& parameter : trainable_) parameter.mutable_grad().reset();
  }
  auto [logits, loss] = pass_->forward();
  if (evidence_ == nullptr) logits.reset();
  if (clock != nullptr) clock->mark();
  pass_->backward(loss, scaler_ ? std::optional(scaler_->scale()) : std::nullopt);
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
