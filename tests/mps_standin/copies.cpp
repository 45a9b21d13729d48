// Copies to, from and on the device, and reads single numbers: here the host may wait for the queue.
#include "queue.hpp"
#include "tensors.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <torch/library.h>

#include <utility>

namespace mpsbench::standin {
namespace {

at::Tensor side(const at::Tensor& tensor) {
  return tensor.is_mps() ? on_host(tensor) : tensor;
}

at::Tensor& copy(at::Tensor& self, const at::Tensor& source, bool non_blocking) {
  // MPS changes the type before it copies, also when it copies to the CPU.
  require_dtype(self.scalar_type());
  if (self.numel() == 0) return self;
  Queue::Job job = [to = side(self), from = side(source)] { to.copy_(from); };
  if (non_blocking || (self.is_mps() && source.is_mps())) {
    Queue::instance().push(std::move(job));
  } else {
    Queue::instance().run(std::move(job));
  }
  return self;
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& to, bool non_blocking) {
  at::Tensor target = to;
  return copy(target, self, non_blocking);
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& to) {
  at::native::resize_output(to, self.sizes());
  return copy_from(self, to, /*non_blocking=*/false);
}

at::Scalar local_scalar(const at::Tensor& self) {
  at::Scalar number;
  Queue::instance().run([&number, host = on_host(self)] { number = at::native::_local_scalar_dense_cpu(host); });
  return number;
}

TORCH_LIBRARY_IMPL(aten, MPS, library) {
  library.impl("copy_", &copy);
  library.impl("_copy_from", &copy_from);
  library.impl("_copy_from_and_resize", &copy_from_and_resize);
  library.impl("_local_scalar_dense", &local_scalar);
}

}  // namespace
}  // namespace mpsbench::standin
