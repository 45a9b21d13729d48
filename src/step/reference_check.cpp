#include "step/reference_check.hpp"

#include "step/gradient_hook.hpp"
#include "step/limits.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace mpsbench::step {
namespace {

constexpr std::int64_t kRows = 2;

at::Tensor forward(nn::Model& model, const std::vector<at::Tensor>& inputs, Precision precision) {
  const c10::InferenceMode inference;
  const PrecisionScope scope(precision, inputs.at(0).device().type());
  return model.forward(inputs).cpu().to(at::kFloat);
}

// Keeps a step's gradients, and then replaces them by those of another step. So both update from the same
// gradients: an optimizer such as Adam makes large differences of small ones.
class ReplacingHook final : public GradientHook {
 public:
  explicit ReplacingHook(const std::vector<nn::NamedTensor>& replacements) : replacements_(&replacements) {}

  void apply(const std::vector<at::Tensor>& parameters) override {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const at::Tensor& gradient = parameters[i].grad();
      own_.push_back(gradient.defined() ? gradient.clone() : at::zeros_like(parameters[i]));
      if (gradient.defined()) gradient.copy_((*replacements_)[i].tensor);
    }
  }

  // Puts the step's own gradients into RESULTS.
  void give_back(StepResults& results) {
    for (std::size_t i = 0; i < own_.size(); ++i) results.gradients[i].tensor = std::move(own_[i]);
  }

 private:
  const std::vector<nn::NamedTensor>* replacements_;
  std::vector<at::Tensor> own_;
};

StepMaker train_step_of(const data::Batch& batch, const TrainSettings& settings) {
  return [&batch, settings](nn::Model& network) {
    return std::make_unique<TrainStep>(network, batch, settings, nullptr);
  };
}

// The outputs of a deep network that has not learned can be large, up to 1e7. Cross-entropy would then see
// only which one is the largest. So both sides scale them to at most 1.
double scale_of(const at::Tensor& output) {
  return 1 / std::max(1.0, output.abs().max().item<double>());
}

}  // namespace

StepComparison compare_with_cpu(const nn::Model& model, const data::Batch& batch, Precision precision,
                                const std::optional<TrainSettings>& training) {
  const data::Batch rows = data::first_rows(batch, kRows);
  const data::Batch cpu_rows = data::on_cpu(rows);
  const Limits limits = without_update(cpu_limits(precision), training);
  StepResults found;
  StepResults expected;
  expected.output =
      forward(*model.copy_without_dropout(at::kCPU, /*training=*/false), cpu_rows.inputs, Precision::fp32);
  if (!training) {
    found.output = forward(*model.evaluating(), rows.inputs, precision);
    return compare(schema::Reference::cpu, found, expected, model.parameters(), limits);
  }
  Observation how{.trains = true,
                  .output_scale = scale_of(expected.output),
                  .may_overflow = precision == Precision::fp16};
  found = observe(model, model.copy_without_dropout(rows.inputs.at(0).device(), /*training=*/false),
                  train_step_of(rows, *training), how);
  TrainSettings on_cpu = *training;
  on_cpu.precision = Precision::fp32;
  ReplacingHook hook(found.gradients);
  on_cpu.gradient_hook = &hook;
  how.runs = 1;
  expected = observe(model, model.copy_without_dropout(at::kCPU, /*training=*/false),
                     train_step_of(cpu_rows, on_cpu), how);
  hook.give_back(expected);
  return compare(schema::Reference::cpu, found, expected, model.parameters(), limits);
}

}  // namespace mpsbench::step
