#include "step/observed_step.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <cstddef>
#include <utility>

namespace mpsbench::step {
namespace {

// Loss scaling starts at 2^16 and halves after each overflow, so it would be below 1.
constexpr std::int64_t kMostOverflows = 17;

// Keeps what the network returned last. Steps themselves drop it.
class WatchedModel final : public nn::Model {
 public:
  WatchedModel(std::unique_ptr<nn::Model> inner, double scale)
      : Model(inner->parameters(), inner->training()), inner_(std::move(inner)), scale_(scale) {}

  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs) override {
    at::Tensor output = inner_->forward(inputs);
    if (scale_ != 1) output = output * scale_;
    on_logits(output);
    return output;
  }
  void on_logits(const at::Tensor& logits) override { output_ = logits.detach(); }
  [[nodiscard]] std::unique_ptr<nn::Model> evaluating() const override { return inner_->evaluating(); }
  [[nodiscard]] std::unique_ptr<nn::Model> copy_without_dropout(const c10::Device& device,
                                                                bool training) const override {
    return inner_->copy_without_dropout(device, training);
  }

  [[nodiscard]] const at::Tensor& output() const { return output_; }

 private:
  std::unique_ptr<nn::Model> inner_;
  double scale_;
  at::Tensor output_;
};

at::Tensor on_cpu(const at::Tensor& tensor) {
  return tensor.detach().cpu().to(at::kFloat);
}

// A graph reads and writes these tensors, so they are changed in place.
void restore(nn::Parameters& copy, const nn::Parameters& original) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < copy.all().size(); ++i) {
    at::Tensor tensor = copy.all()[i].tensor;
    tensor.copy_(original.all()[i].tensor);
    if (tensor.grad().defined()) tensor.mutable_grad().zero_();
  }
}

bool has_infinite_gradient(const nn::Parameters& parameters) {
  for (const at::Tensor& parameter : parameters.trainable()) {
    if (parameter.grad().defined() && !parameter.grad().isfinite().all().item<bool>()) return true;
  }
  return false;
}

void take_training(StepResults& results, const nn::Parameters& parameters) {
  for (const auto& [name, tensor, trainable] : parameters.all()) {
    if (!trainable) continue;
    const at::Tensor gradient = tensor.grad().defined() ? tensor.grad() : at::zeros_like(tensor);
    results.gradients.push_back({name, on_cpu(gradient)});
    // A copy also on the CPU, where the parameter itself would be shared.
    results.weights.push_back({name, on_cpu(tensor).clone()});
  }
}

}  // namespace

StepResults observe(const nn::Model& original, std::unique_ptr<nn::Model> copy, const StepMaker& make,
                    const Observation& how) {
  WatchedModel network(std::move(copy), how.output_scale);
  if (how.trains) network.parameters().require_gradients();
  const std::unique_ptr<measure::Step> step = make(network);
  const std::int64_t wanted = how.runs.value_or(1 + step->preparation_steps());
  StepResults results;
  const auto overflowed = [&] {
    return how.may_overflow && !how.runs && results.runs < wanted + kMostOverflows &&
           has_infinite_gradient(network.parameters());
  };
  while (results.runs < wanted || overflowed()) {
    restore(network.parameters(), original.parameters());
    step->run();
    ++results.runs;
  }
  results.output = on_cpu(network.output());
  results.loss = step->loss();
  if (how.trains) take_training(results, network.parameters());
  return results;
}

}  // namespace mpsbench::step
