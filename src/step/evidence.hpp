// What the first step computed, for checking our numerics from outside.
#pragma once

#include "data/synthetic.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::step {

// Filled by the first step, written after measuring.
class Evidence {
 public:
  explicit Evidence(const schema::NetworkPlan& plan);

  // Inputs under the model's own names. LOSS undefined: an inference step, which has neither target, loss nor
  // gradients.
  void take(const data::Batch& batch, const at::Tensor& logits, const at::Tensor& loss,
            const nn::Parameters& parameters);

  // "input", "target", "logits", "loss", "grad.NAME" in a safetensors file.
  void write(const std::string& path) const;

 private:
  void add(const std::string& name, const at::Tensor& tensor);

  std::vector<std::string> input_names_;
  std::vector<std::pair<std::string, at::Tensor>> tensors_;
};

}  // namespace mpsbench::step
