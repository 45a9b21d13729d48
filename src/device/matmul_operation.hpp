// The operation of the synchronisation self-test: a matrix product that takes far longer than queueing it.
#pragma once

#include "device/device.hpp"
#include "measure/step.hpp"

#include <ATen/core/Tensor.h>

namespace mpsbench::device {

class MatmulOperation final : public measure::Step {
 public:
  explicit MatmulOperation(const Device& device);

  void run() override;
  // An element of the result, which waits for it.
  std::optional<double> loss() override;

 private:
  at::Tensor left_, right_, product_;
};

}  // namespace mpsbench::device
