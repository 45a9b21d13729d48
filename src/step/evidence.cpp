#include "step/evidence.hpp"

#include "nn/weights.hpp"

#include <ATen/ATen.h>

namespace mpsbench::step {

Evidence::Evidence(const schema::NetworkPlan& plan) {
  for (const schema::NetworkInput& input : plan.inputs) input_names_.push_back(input.name);
}

void Evidence::add(const std::string& name, const at::Tensor& tensor) {
  tensors_.emplace_back(name, tensor.detach().clone());
}

void Evidence::take(const data::Batch& batch, const at::Tensor& logits, const at::Tensor& loss,
                    const nn::Parameters& parameters) {
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

}  // namespace mpsbench::step
