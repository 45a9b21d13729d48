// The forward and the backward pass of a training step, and how they are computed.
#pragma once

#include "base/interface.hpp"
#include "data/synthetic.hpp"
#include "nn/model.hpp"
#include "step/loss.hpp"
#include "step/precision.hpp"

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>

namespace mpsbench::step {

struct PassResults {
  at::Tensor logits;
  at::Tensor loss;
};

class TrainingPass : public base::Interface {
 public:
  // Computes the loss of the batch.
  [[nodiscard]] virtual PassResults forward() = 0;

  // Adds the gradients of LOSS, which forward() has just returned, to those of the parameters; a parameter
  // without one gets one. They are multiplied by SCALE if it is given.
  virtual void backward(const at::Tensor& loss, const std::optional<at::Tensor>& scale) = 0;
};

// Runs MODEL operation by operation. MODEL and BATCH must outlive the pass.
[[nodiscard]] std::unique_ptr<TrainingPass> make_eager_pass(nn::Model& model, const data::Batch& batch,
                                                            Precision precision, Loss loss);

}  // namespace mpsbench::step
