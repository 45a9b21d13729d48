#include "step/first_step_check.hpp"

#include "base/error.hpp"
#include "base/units.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <map>
#include <string_view>
#include <utility>

namespace mpsbench::step {

namespace {

struct Observation {
  bool trains = false;
  double output_scale = 1;                // the network's outputs are multiplied by it, also StepResults::output
  bool may_overflow = false;              // whether a step with infinite gradients is repeated, as loss scaling asks
  std::optional<std::int64_t> runs = {};  // null: once, and before it the engine's preparation steps
};

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
  [[nodiscard]] std::vector<nn::Auxiliary> take_auxiliary() override {
    std::vector<nn::Auxiliary> outputs = inner_->take_auxiliary();
    for (nn::Auxiliary& one : outputs) one.output = one.output * scale_;
    return outputs;
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

// Runs the step that MAKE makes for COPY, a copy of ORIGINAL, and returns the results of its last run. Each
// run begins with the weights and buffers of ORIGINAL, which stays as it is.
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

// Returns a copy of MODEL, on the CPU, in which each batch normalisation has a bias that is higher by 1,
// or null if there is none.
//
// A network that has not learned has biases of 0, so half of what it normalises is near the bend of a ReLU. Batch
// normalisation over a batch then multiplies rounding errors from layer to layer: resnet50's gradients in bf16 differ
// from those in fp32 by 1.2 of their norm (median; the worst by 1.65), as two unrelated gradients would, and no
// difference could tell a right package from a wrong one. With these biases it is 0.15 (0.32).
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

// Whether training would end without a gradient. False also if MODEL cannot train with so few rows.
bool lacks_gradient(nn::Model& model, const data::Batch& batch) {
  const c10::InferenceMode with_gradients(false);
  try {
    return !model.forward(data::first_rows(batch, kRows).inputs).requires_grad();
  } catch (const std::exception&) {
    return false;
  }
}

void require(const at::Tensor& tensor, const std::string& name, const c10::Device& device) {
  if (!tensor.defined() || tensor.device() == device) return;
  throw base::usage_error(name + " is on " + tensor.device().str() + ", but the step runs on " + device.str() +
                          "; move the tensor there first");
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
    if (in_fp64) copy->parameters().to_type(at::kDouble);
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
                                const std::optional<TrainSettings>& training, nn::Model* reference) {
  const data::Batch rows = data::first_rows(batch, kRows);
  const data::Batch cpu_rows = data::on_cpu(rows);
  const Limits limits = without_update(cpu_limits(precision), training);
  StepResults found;
  StepResults expected;
  const bool is_stored = row_of(precision).is_stored;
  std::unique_ptr<nn::Model> copy;
  if (reference == nullptr) {
    copy = model.copy_without_dropout(at::kCPU, /*training=*/false);
    if (is_stored) copy->parameters().to_type(at::kFloat);
    reference = copy.get();
  }
  expected.output =
      forward(*reference, (is_stored ? data::in_type(cpu_rows, at::kFloat) : cpu_rows).inputs, Precision::fp32);
  if (!training) {
    found.output = forward(*model.evaluating(), rows.inputs, precision);
    return compare(schema::Reference::cpu, found, expected, model.parameters(), limits);
  }
  Observation how{
      .trains = true, .output_scale = scale_of(expected.output), .may_overflow = precision == Precision::fp16};
  found = observe(model, model.copy_without_dropout(rows.inputs.at(0).device(), /*training=*/false),
                  train_step_of(rows, *training), how);
  TrainSettings on_cpu = *training;
  on_cpu.spec.precision = Precision::fp32;
  ReplacingHook hook(found.gradients);
  on_cpu.gradient_hook = &hook;
  how.runs = 1;
  expected =
      observe(model, model.copy_without_dropout(at::kCPU, /*training=*/false), train_step_of(cpu_rows, on_cpu), how);
  hook.give_back(expected);
  return compare(schema::Reference::cpu, found, expected, model.parameters(), limits);
}

void require_classes(const schema::NetworkPlan& plan, nn::Model& model, const data::Batch& batch,
                     std::int64_t least_classes) {
  if (!schema::runs_model_file(plan)) return;
  const c10::InferenceMode inference;
  const at::Tensor logits = model.evaluating()->forward(data::first_rows(batch, 1).inputs);
  const std::int64_t classes = plan.nodes.back().shape.at(1);
  if (logits.dim() != 2 || logits.size(0) != 1)
    throw base::usage_error("for one row, the network returns " + schema::to_string(logits.sizes().vec()) +
                            ", but training needs [1, outputs]; change its last layers (by pooling, flatten "
                            "or a linear layer), or use --mode infer");
  const std::int64_t outputs = logits.size(1);
  if (outputs < least_classes)
    throw base::usage_error("the network has " + base::counted(outputs, "output", "outputs") +
                            " per row, but the data set has " + std::to_string(least_classes) +
                            " classes; give its last layer as many outputs, or use --dataset synthetic");
  if (outputs == classes) return;
  if (lacks_gradient(model, batch)) throw no_gradient_error();  // --classes would not help
  throw base::usage_error("the network has " + base::counted(outputs, "output", "outputs") + " per row, not " +
                          std::to_string(classes) + "; use --classes " + std::to_string(outputs));
}

void require_on_device(const schema::NetworkPlan& plan, const data::Batch& batch, const nn::Parameters& parameters,
                       const c10::Device& device) {
  for (std::size_t i = 0; i < batch.inputs.size(); ++i)
    require(batch.inputs[i], "input '" + plan.inputs.at(i).name + "'", device);
  require(batch.target, "the target", device);
  for (const nn::NamedTensor& one : parameters.all()) require(one.tensor, "'" + one.name + "'", device);
}

std::string infinite_parameter(const nn::Parameters& parameters) {
  constexpr std::int64_t kPart = 1 << 20;  // so that the check itself needs little memory
  const at::NoGradGuard no_grad;
  for (const auto& [name, tensor, trainable] : parameters.all()) {
    if (!trainable || !tensor.is_floating_point()) continue;
    for (const at::Tensor& part : tensor.detach().reshape({-1}).split(kPart)) {
      if (!part.isfinite().all().item<bool>()) return name;
    }
  }
  return "";
}

}  // namespace mpsbench::step
