// The operation of the synchronisation self-test: a matrix product that takes far longer to compute than to
// queue.
#pragma once

#include "device/device.hpp"
#include "measure/step.hpp"

#include <ATen/core/Tensor.h>

namespace mpsbench::device {

class MatmulOperation final : public measure::Step {
 public:
  explicit MatmulOperation(const Device& device);

  void run() override;
  // Returns an element of the result. Reading it waits until the product is done.
  std::optional<double> loss() override;

 private:
  at::Tensor left_, right_, product_;
};

}  // namespace mpsbench::device
