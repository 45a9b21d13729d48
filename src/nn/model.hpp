// A network that a step can run, whatever stands behind it.
#pragma once

#include "base/interface.hpp"
#include "nn/parameters.hpp"

#include <ATen/core/Tensor.h>

#include <memory>
#include <utility>
#include <vector>

namespace mpsbench::nn {

class Model : public base::Interface {
 public:
  // INPUTS in the plan's order; returns the logits.
  [[nodiscard]] virtual at::Tensor forward(const std::vector<at::Tensor>& inputs) = 0;

  // The same network in evaluation mode, over the same tensors.
  [[nodiscard]] virtual std::unique_ptr<Model> evaluating() const = 0;
  // The same, over copies on the CPU. Where its tensors are there already, it may share them.
  [[nodiscard]] virtual std::unique_ptr<Model> evaluating_on_cpu() const = 0;

  // Parameters and buffers, as forward reads them.
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] Parameters& parameters() { return parameters_; }
  // Else it is in evaluation mode.
  [[nodiscard]] bool training() const { return training_; }

 protected:
  Model(Parameters parameters, bool training) : parameters_(std::move(parameters)), training_(training) {}

 private:
  Parameters parameters_;
  bool training_;
};

}  // namespace mpsbench::nn
