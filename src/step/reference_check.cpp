#include "step/reference_check.hpp"

#include "step/gradient_hook.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mpsbench::step {
namespace {

constexpr std::int64_t kRows = 2;

// Returns what PRECISION can explain of a difference from the CPU's fp32.
// - Output: the sum of all layers' rounding. In bf16, the bundled networks differ by up to 2 %.
// - Loss: a smooth function of outputs that are at most 1.
// - Gradients: a rounding error can put a value on the other side of a ReLU or choose another element in a
//   max pooling, and the gradient then takes another way. The share of such values grows with the square root
//   of the rounding error. The bundled networks' gradients differ by up to 30 % in bf16, and in fp32 from
//   fp64 by 0.2 %; fast convolutions on a GPU may round 100 times as much, and so differ by 2 %. A missing or
//   doubled gradient differs by 100 %.
// - Weights: both sides update from the same gradients, in fp32 at each precision. An optimizer may compute
//   its bias correction in fp32, which costs 1e-4 of the change.
Limits limits_of(Precision precision) {
  constexpr double kWeights = 1e-3;
  switch (precision) {
    case Precision::fp32:
      return {1e-3, 1e-4, 0.1, kWeights};
    case Precision::tf32:
      return {1e-2, 1e-3, 0.4, kWeights};
    case Precision::fp16:
      return {1e-1, 1e-2, 0.4, kWeights};
    case Precision::bf16:
      return {1e-1, 1e-2, 0.7, kWeights};
  }
  return {};
}

// An engine starts the same kernels with the same numbers, so only the order of atomic additions differs:
// about 1e-7 of the sums, in bf16 and fp16 sometimes a rounding more. Adam's first change is the sign of a
// gradient, so where a gradient's element is nearly zero this can turn the whole change.
Limits engine_limits_of(Precision precision) {
  constexpr double kWeights = 0.1;
  switch (precision) {
    case Precision::fp32:
      return {1e-4, 1e-5, 1e-3, kWeights};
    case Precision::tf32:
      return {1e-3, 1e-4, 1e-2, kWeights};
    case Precision::fp16:
    case Precision::bf16:
      return {1e-2, 1e-3, 1e-2, kWeights};
  }
  return {};
}

// A package fuses operations and so rounds in other places than eager. With the biases of steady_copy(), a
// missing ReLU changes a gradient by less (about 0.4 of its norm instead of 1), so the limit of gradients
// starts lower; see widen(). Weights are not compared: the update is eager's own, and Adam's first change is
// the sign of a gradient.
Limits package_limits_of(Precision precision) {
  constexpr double kGradients = 0.3;
  Limits limits = limits_of(precision);
  limits.gradients = std::min(limits.gradients, kGradients);
  limits.weights.reset();
  return limits;
}

// Allows a package twice the difference that CHECKS found between eager and eager in fp32, but never so much
// that a gradient may be missing.
void widen(Limits& limits, const std::vector<schema::AgreementCheck>& checks) {
  constexpr double kMost = 0.9;
  for (const schema::AgreementCheck& check : checks) {
    const double allowed = std::min(2 * check.difference.value_or(0), kMost);
    using schema::Compared;
    if (check.quantity == Compared::output) limits.output = std::max(limits.output, allowed);
    if (check.quantity == Compared::loss) limits.loss = std::max(limits.loss, allowed);
    if (check.quantity == Compared::gradients) limits.gradients = std::max(limits.gradients, allowed);
  }
}

// Returns a copy of MODEL, on the CPU, in which each batch normalisation has a bias that is higher by 1,
// or null if there is none.
//
// A network that has not learned has biases of 0, so half of what it normalises is near the bend of a ReLU.
// Batch normalisation over a batch then multiplies rounding errors from layer to layer: resnet50's gradients
// in bf16 differ from those in fp32 by 1.2 of their norm (median; the worst by 1.65), as two unrelated
// gradients would, and no difference could tell a right package from a wrong one. With these biases it is
// 0.15 (0.32).
std::unique_ptr<nn::Model> steady_copy(const nn::Model& model) {
  std::unique_ptr<nn::Model> copy = model.copy_without_dropout(at::kCPU, /*training=*/true);
  std::map<std::string, at::Tensor> tensors;
  for (const nn::NamedTensor& one : copy->parameters().all()) tensors.emplace(one.name, one.tensor);
  constexpr std::string_view kMean = "running_mean";
  bool is_raised = false;
  for (const auto& [name, tensor] : tensors) {
    if (!name.ends_with(kMean)) continue;
    const auto bias = tensors.find(name.substr(0, name.size() - kMean.size()) + "bias");
    if (bias == tensors.end()) continue;
    bias->second.add_(1);
    is_raised = true;
  }
  return is_raised ? std::move(copy) : nullptr;
}

Limits without_update(Limits limits, const std::optional<TrainSettings>& training) {
  if (training && training->optimizer.name == "none") limits.weights.reset();
  return limits;
}

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
  const Limits limits = without_update(limits_of(precision), training);
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

StepComparison compare_with_eager(const nn::Model& model, const c10::Device& device, Precision precision,
                                  const EngineSides& sides, const std::optional<TrainSettings>& training) {
  const bool trains = training.has_value();
  Observation how{.trains = trains, .may_overflow = trains && precision == Precision::fp16};
  std::unique_ptr<nn::Model> steady;
  if (sides.exact && trains) steady = steady_copy(model);
  const nn::Model& start = steady ? *steady : model;
  const auto results_of = [&](const StepMaker& make) {
    return observe(start, start.copy_without_dropout(device, trains), make, how);
  };
  const auto compared = [&](const StepResults& found, const StepResults& expected, const Limits& limits) {
    return compare(schema::Reference::eager, found, expected, start.parameters(), limits);
  };
  StepResults found = results_of(sides.engine);
  if (!sides.exact) {
    how.runs = found.runs;
    const Limits limits = without_update(engine_limits_of(precision), training);
    return compared(found, results_of(sides.eager), limits);
  }
  // Eager's convolutions run only once here, so a search for the fastest ones would cost more than it gains.
  // For later steps, LibTorch keeps the plan of each convolution, even one that was found without a search.
  // So the engine, which searches, came first.
  const auto eager_in = [&](Precision of, const StepMaker& make) {
    const BackendScope scope(of, /*search_convolutions=*/false);
    return results_of(make);
  };
  StepResults expected = eager_in(precision, sides.eager);
  Limits limits = package_limits_of(precision);
  if (precision != Precision::fp32) {
    how.may_overflow = false;
    StepResults exact = eager_in(Precision::fp32, sides.exact);
    remove_rounding(found, expected, exact);
    widen(limits, compared(expected, exact, limits).checks);
  }
  return compared(found, expected, limits);
}

}  // namespace mpsbench::step
