// The results of the first step, so that other programs can check our numerics.
#pragma once

#include "input/data/synthetic.hpp"
#include "nn/parameters.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::step {

// The first step fills it.
class Evidence {
 public:
  enum class Keeps { all, output };

  explicit Evidence(const schema::NetworkPlan& plan, Keeps keeps = Keeps::all);

  // Inputs keep the model's names for them. If LOSS is undefined, it was an inference step, which has no
  // target, loss or gradients.
  void take(const data::Batch& batch, const at::Tensor& logits, const at::Tensor& loss,
            const nn::Parameters& parameters);

  // Writes the inputs, "target", "logits", "loss" and "grad.NAME" to a safetensors file.
  void write(const std::string& path) const;

  // Whether all numbers of the logits are finite. Not before the first step.
  [[nodiscard]] bool is_output_finite() const;

 private:
  void add(const std::string& name, const at::Tensor& tensor);

  Keeps keeps_;
  at::Tensor output_;
  std::vector<std::string> input_names_;
  std::vector<std::pair<std::string, at::Tensor>> tensors_;
};

// Returns the name of the first trainable parameter with a value that is not finite, or "".
[[nodiscard]] std::string infinite_parameter(const nn::Parameters& parameters);

}  // namespace mpsbench::step
