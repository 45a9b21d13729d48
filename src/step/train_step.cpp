#include "step/train_step.hpp"

#include "base/error.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>

#include <map>
#include <string>
#include <utility>

namespace mpsbench::step {

namespace {

// Runs the model operation by operation. MODEL and BATCH must outlive the pass.
class EagerPass final : public TrainingPass {
 public:
  EagerPass(nn::Model& model, const data::Batch& batch, const schema::CaseSpec& spec)
      : model_(&model),
        batch_(&batch),
        precision_(spec.precision),
        loss_(find_loss(spec)),
        device_(batch.target.device().type()) {}

  PassResults forward() override {
    const PrecisionScope scope(precision_, device_);
    PassResults results;
    results.logits = model_->forward(batch_->inputs);
    results.loss = loss_(results.logits, batch_->target);
    for (const nn::Auxiliary& one : model_->take_auxiliary())
      results.loss = at::add(results.loss, loss_(one.output, batch_->target), one.factor);
    return results;
  }

  void backward(const at::Tensor& loss, const std::optional<at::Tensor>& scale) override {
    try {
      (scale ? loss * *scale : loss).backward();
    } catch (const c10::Error&) {
      if (loss.requires_grad()) throw;
      throw no_gradient_error();
    }
  }

 private:
  nn::Model* model_;
  const data::Batch* batch_;
  Precision precision_;
  Loss loss_;
  c10::DeviceType device_;
};

at::Tensor token_cross_entropy(const at::Tensor& logits, const at::Tensor& target) {
  return at::cross_entropy_loss(logits.flatten(0, 1), target.flatten());
}

// Position i predicts token i + 1, and the last one nothing. Shifting the targets copies no logits.
at::Tensor next_token_cross_entropy(const at::Tensor& logits, const at::Tensor& target) {
  constexpr std::int64_t kIgnored = -100;  // by cross_entropy_loss
  return token_cross_entropy(logits, at::constant_pad_nd(target.narrow(1, 1, target.size(1) - 1), {0, 1}, kIgnored));
}

}  // namespace

base::Error no_gradient_error() {
  return base::usage_error(
      "the network's output has no gradient, because its code runs under no_grad, detaches it or makes whole numbers "
      "of it; save a network without that, or use --mode infer");
}

Loss find_loss(const schema::CaseSpec& spec) {
  using Tensor = at::Tensor;
  static const std::map<std::string, Loss> kLosses{
      {"cross_entropy",
       [](const Tensor& logits, const Tensor& target) { return at::cross_entropy_loss(logits, target); }},
      {"token_cross_entropy", token_cross_entropy},
      {"next_token_cross_entropy", next_token_cross_entropy},
      {"bce_with_logits",
       [](const Tensor& logits, const Tensor& target) { return at::binary_cross_entropy_with_logits(logits, target); }},
      {"mse", [](const Tensor& logits, const Tensor& target) { return at::mse_loss(logits, target); }},
      {"mean", [](const Tensor& logits, const Tensor& /*target*/) { return logits.mean(); }}};
  const auto found = kLosses.find(spec.loss);
  if (found == kLosses.end()) throw base::usage_error("unknown loss '" + spec.loss + "'");
  return found->second;
}

TrainStep::TrainStep(nn::Model& model, const data::Batch& batch, const TrainSettings& settings, Evidence* evidence)
    : TrainStep(std::make_unique<EagerPass>(model, batch, settings.spec), model, batch, settings, evidence) {}

TrainStep::TrainStep(std::unique_ptr<TrainingPass> pass, nn::Model& model, const data::Batch& batch,
                     const TrainSettings& settings, Evidence* evidence)
    : pass_(std::move(pass)),
      model_(&model),
      batch_(&batch),
      trainable_(model.parameters().trainable()),
      gradient_hook_(settings.gradient_hook),
      accumulates_(settings.spec.optimizer.name == "none"),
      evidence_(evidence) {
  if (settings.spec.precision == Precision::fp16) scaler_.emplace(batch.target.device());
  std::vector<std::vector<at::Tensor>> parts{trainable_};
  if (gradient_hook_ != nullptr) parts = gradient_hook_->parts_of(trainable_);
  for (const std::vector<at::Tensor>& parameters : parts)
    parts_.push_back({.parameters = parameters, .update = make_optimizer(settings.spec.optimizer, parameters)});
  update_all_ = [this](const std::optional<at::Tensor>& found_infinite) {
    for (const Part& part : parts_) part.update(found_infinite);
  };
  if (settings.overflow_check == OverflowCheck::host) update_all_ = skipped_by_host(std::move(update_all_));
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
  // While the gradients of the next parts get ready, a part is updated, unless something needs all first.
  const bool update_each = !scaler_ && evidence_ == nullptr && clock == nullptr;
  for (const Part& part : parts_) {
    if (gradient_hook_ != nullptr) gradient_hook_->apply(part.parameters);
    if (update_each) part.update(std::nullopt);
  }
  if (scaler_) scaler_->unscale(trainable_);
  if (evidence_ != nullptr) evidence_->take(*batch_, logits, loss, model_->parameters());
  if (clock != nullptr) clock->mark();
  if (!update_each) update_all_(scaler_ ? std::optional(scaler_->found_infinite()) : std::nullopt);
  if (scaler_) scaler_->update();
  evidence_ = nullptr;
  last_loss_ = loss.detach();
  if (clock != nullptr) clock->mark();
}

std::optional<double> TrainStep::loss() {
  return last_loss_.defined() ? std::optional(last_loss_.item<double>()) : std::nullopt;
}

}  // namespace mpsbench::step
