#include "step/first_step_check.hpp"

#include "base/error.hpp"
#include "step/comparison.hpp"
#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace mpsbench::step {

namespace {

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
  return
      [&batch, settings](nn::Model& network) { return std::make_unique<TrainStep>(network, batch, settings, nullptr); };
}

// The outputs of a deep network that has not learned can be large, up to 1e7. Cross-entropy would then see
// only which one is the largest. So both sides scale them to at most 1.
double scale_of(const at::Tensor& output) {
  return 1 / std::max(1.0, output.abs().max().item<double>());
}

}  // namespace

StepComparison compare_with_eager(const nn::Model& model, const c10::Device& device, Precision precision,
                                  const EngineSides& sides, const std::optional<TrainSettings>& training) {
  const bool trains = training.has_value();
  Observation how{.trains = trains, .may_overflow = trains && precision == Precision::fp16};
  std::unique_ptr<nn::Model> steady;
  if (sides.exact && trains) steady = steady_copy(model);
  const nn::Model& start = steady ? *steady : model;
  const auto results_of = [&](const StepMaker& make, bool in_fp64 = false) {
    std::unique_ptr<nn::Model> copy = start.copy_without_dropout(device, trains);
    if (in_fp64) copy->parameters().to_fp64();
    return observe(start, std::move(copy), make, how);
  };
  const auto compared = [&](const StepResults& found, const StepResults& expected, const Limits& limits) {
    return compare(schema::Reference::eager, found, expected, start.parameters(), limits);
  };
  StepResults found = results_of(sides.engine);
  if (!sides.exact) {
    how.runs = found.runs;
    const Limits limits = without_update(engine_limits(precision), training);
    return compared(found, results_of(sides.eager), limits);
  }
  // Eager's convolutions run only once here, so a search for the fastest ones would cost more than it gains.
  // For later steps, LibTorch keeps the plan of each convolution, even one that was found without a search.
  // So the engine, which searches, came first.
  const auto eager_in = [&](Precision of, const StepMaker& make, bool in_fp64) {
    const BackendScope scope(of, /*search_convolutions=*/false);
    return results_of(make, in_fp64);
  };
  StepResults expected = eager_in(precision, sides.eager, /*in_fp64=*/false);
  how.may_overflow = false;
  Limits limits = package_limits(precision, device);
  const auto compared_widely = [&](bool in_fp64) {
    StepResults exact = eager_in(Precision::fp32, sides.exact, in_fp64);
    remove_rounding(found, expected, exact);
    widen(limits, compared(expected, exact, limits).checks);
    return compared(found, expected, limits);
  };
  if (precision != Precision::fp32) return compared_widely(/*in_fp64=*/false);
  StepComparison comparison = compared(found, expected, limits);
  if (comparison.wrong.empty()) return comparison;
  try {
    return compared_widely(/*in_fp64=*/true);
  } catch (const std::exception& error) {  // such as no memory
    comparison.wrong += " (fp64 could not show what rounding explains: " + base::first_line(error.what()) + ")";
    return comparison;
  }
}

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
  Observation how{
      .trains = true, .output_scale = scale_of(expected.output), .may_overflow = precision == Precision::fp16};
  found = observe(model, model.copy_without_dropout(rows.inputs.at(0).device(), /*training=*/false),
                  train_step_of(rows, *training), how);
  TrainSettings on_cpu = *training;
  on_cpu.precision = Precision::fp32;
  ReplacingHook hook(found.gradients);
  on_cpu.gradient_hook = &hook;
  how.runs = 1;
  expected =
      observe(model, model.copy_without_dropout(at::kCPU, /*training=*/false), train_step_of(cpu_rows, on_cpu), how);
  hook.give_back(expected);
  return compare(schema::Reference::cpu, found, expected, model.parameters(), limits);
}

}  // namespace mpsbench::step
