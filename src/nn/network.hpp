// A plan brought to life: one loop over its layers.
#pragma once

#include "nn/layer.hpp"
#include "nn/parameters.hpp"
#include "schema/plan.hpp"

#include <ATen/core/Tensor.h>

#include <vector>

namespace mpsbench::nn {

class Network {
 public:
  // PARAMETERS as made from the same plan.
  Network(const schema::Plan& plan, const Parameters& parameters, bool training);

  // INPUTS in the plan's order; returns the logits. A slot is freed at its last use.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs);

 private:
  struct Layer {
    Forward forward;
    std::vector<int> inputs;
    std::vector<int> release;
    int output;
  };

  std::vector<Layer> layers_;
  std::vector<at::Tensor> slots_;
  int output_;
};

}  // namespace mpsbench::nn
