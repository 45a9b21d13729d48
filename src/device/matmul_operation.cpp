#include "device/matmul_operation.hpp"

#include <ATen/ATen.h>

namespace mpsbench::device {

MatmulOperation::MatmulOperation(const Device& device) {
  constexpr std::int64_t kSize = 2048;
  const at::TensorOptions options = at::TensorOptions().dtype(at::kFloat).device(device.torch());
  left_ = at::ones({kSize, kSize}, options);
  right_ = at::ones({kSize, kSize}, options);
  product_ = at::empty({kSize, kSize}, options);
}

void MatmulOperation::run() {
  at::mm_out(product_, left_, right_);
}

std::optional<double> MatmulOperation::loss() {
  return product_.select(0, 0).select(0, 0).item<double>();
}

}  // namespace mpsbench::device
