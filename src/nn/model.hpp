// The interface of a network that a step can run.
#pragma once

#include "base/interface.hpp"
#include "nn/parameters.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <utility>
#include <vector>

namespace mpsbench::nn {

// An output whose loss is added to that of the logits, times FACTOR.
struct Auxiliary {
  at::Tensor output;
  double factor = 0;
};

class Model : public base::Interface {
 public:
  // INPUTS are in the plan's order. Returns the logits.
  [[nodiscard]] virtual at::Tensor forward(const std::vector<at::Tensor>& inputs) = 0;

  // Hands over the auxiliary outputs of the last forward(), which only a network in training has.
  [[nodiscard]] virtual std::vector<Auxiliary> take_auxiliary() { return {}; }

  // Returns the same network in evaluation mode. It shares this one's tensors.
  [[nodiscard]] virtual std::unique_ptr<Model> evaluating() const = 0;
  // Returns the same network on DEVICE, with copies of the tensors, in TRAINING or evaluation mode but always
  // without dropout.
  [[nodiscard]] virtual std::unique_ptr<Model> copy_without_dropout(const c10::Device& device, bool training) const = 0;

  // A step that computes the logits without forward() gives them here, for those that watch the network.
  virtual void on_logits(const at::Tensor& /*logits*/) {}

  // Returns the parameters and buffers that forward() reads.
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] Parameters& parameters() { return parameters_; }
  // Whether the network is in training mode; otherwise it is in evaluation mode.
  [[nodiscard]] bool training() const { return training_; }

 protected:
  Model(Parameters parameters, bool training) : parameters_(std::move(parameters)), training_(training) {}

 private:
  Parameters parameters_;
  bool training_;
};

}  // namespace mpsbench::nn
