#include "step/evidence.hpp"

#include "nn/parameters.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

namespace mpsbench::step {

Evidence::Evidence(const schema::NetworkPlan& plan, Keeps keeps) : keeps_(keeps) {
  for (const schema::NetworkInput& input : plan.inputs) input_names_.push_back(input.name);
}

void Evidence::add(const std::string& name, const at::Tensor& tensor) {
  tensors_.emplace_back(name, tensor.detach().clone());
}

void Evidence::take(const data::Batch& batch, const at::Tensor& logits, const at::Tensor& loss,
                    const nn::Parameters& parameters) {
  output_ = logits.detach();
  if (keeps_ == Keeps::output) return;
  for (std::size_t i = 0; i < batch.inputs.size(); ++i) add(input_names_[i], batch.inputs[i]);
  add("logits", logits);
  if (!loss.defined()) return;
  add("target", batch.target);
  add("loss", loss);
  for (const nn::NamedTensor& parameter : parameters.all()) {
    if (parameter.tensor.grad().defined()) add("grad." + parameter.name, parameter.tensor.grad());
  }
}

void Evidence::write(const std::string& path) const {
  nn::write_safetensors(path, tensors_);
}

bool Evidence::is_output_finite() const {
  const c10::InferenceMode inference;  // the logits are a tensor of it
  return !output_.is_floating_point() || output_.isfinite().all().item<bool>();
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
