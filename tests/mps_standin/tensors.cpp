#include "tensors.hpp"

#include "memory.hpp"
#include "queue.hpp"

#include <ATen/EmptyTensor.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/util/strides.h>
#include <torch/library.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace mpsbench::standin {
namespace {

const c10::DispatchKeySet kMps(c10::DispatchKey::MPS);

c10::DataPtr host_pointer(const c10::Storage& storage) {
  auto bytes = bytes_of(storage);
  if (bytes == nullptr) return {nullptr, c10::kCPU};
  void* data = bytes->data();
  const auto let_go = [](void* held) { delete static_cast<std::shared_ptr<HostBytes>*>(held); };
  return {data, new std::shared_ptr(std::move(bytes)), let_go, c10::kCPU};
}

// Resizes STORAGE and keeps its contents, as far as they fit.
void grow(const c10::Storage& storage, std::size_t size) {
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  const auto old = bytes_of(storage);
  const std::size_t kept = std::min(storage.nbytes(), size);
  storage.unsafeGetStorageImpl()->set_data_ptr_noswap(allocator().allocate(size));
  storage.unsafeGetStorageImpl()->set_nbytes(size);
  if (old == nullptr) return;
  Queue::instance().push([old, grown = bytes_of(storage), kept] { std::memcpy(grown->data(), old->data(), kept); });
}

at::Tensor empty(at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                 std::optional<at::Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
  const at::ScalarType type = c10::dtype_or_default(dtype);
  require_dtype(type);
  return at::detail::empty_generic(size, &allocator(), kMps, type, format);
}

at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                         std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>) {
  const at::ScalarType type = c10::dtype_or_default(dtype);
  require_dtype(type);
  return at::detail::empty_strided_generic(size, stride, &allocator(), kMps, type);
}

const at::Tensor& resize(const at::Tensor& self, at::IntArrayRef size, std::optional<at::MemoryFormat> format) {
  const auto strides = c10::contiguous_strides(size);
  resize_to(self, {self.scalar_type(), size.vec(), {strides.begin(), strides.end()}});
  if (format) self.unsafeGetTensorImpl()->empty_tensor_restride(*format);
  return self;
}

// Copies to, from and on the device, and reads of single numbers: here the host may wait for the queue.

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

// Views need no kernel, because they do not access memory.
TORCH_LIBRARY_IMPL(aten, MPS, library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("resize_", &resize);
  library.impl("view", static_cast<at::Tensor (*)(const at::Tensor&, at::IntArrayRef)>(&at::native::view));
  library.impl("_reshape_alias", &at::native::_reshape_alias);
  library.impl("as_strided", &at::native::as_strided_tensorimpl);
  library.impl("unfold", &at::native::unfold);
  library.impl("copy_", &copy);
  library.impl("_copy_from", &copy_from);
  library.impl("_copy_from_and_resize", &copy_from_and_resize);
  library.impl("_local_scalar_dense", &local_scalar);
}

}  // namespace

Layout layout_of(const at::Tensor& tensor) {
  return {tensor.scalar_type(), tensor.sizes().vec(), tensor.strides().vec()};
}

at::Tensor on_host(const at::Tensor& tensor) {
  c10::Storage storage(c10::Storage::use_byte_size_t(), tensor.storage().nbytes(), host_pointer(tensor.storage()),
                       c10::GetAllocator(c10::kCPU), /*resizable=*/true);
  at::Tensor host = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  host.unsafeGetTensorImpl()->set_storage_offset(tensor.storage_offset());
  host.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides());
  return host;
}

at::Tensor make_tensor(const Layout& layout) {
  require_dtype(layout.dtype);
  return at::detail::empty_strided_generic(layout.sizes, layout.strides, &allocator(), kMps, layout.dtype);
}

void resize_to(const at::Tensor& tensor, const Layout& layout) {
  TORCH_INTERNAL_ASSERT(tensor.scalar_type() == layout.dtype);
  const auto offset = static_cast<std::size_t>(tensor.storage_offset());
  const std::size_t needed = at::detail::computeStorageNbytes(layout.sizes, layout.strides, tensor.itemsize(), offset);
  if (needed > tensor.storage().nbytes()) grow(tensor.storage(), needed);
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(layout.sizes, layout.strides);
}

void require_dtype(at::ScalarType dtype) {
  TORCH_CHECK_TYPE(dtype != at::kDouble,
                   "Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support "
                   "float64. Please use float32 instead.");
}

}  // namespace mpsbench::standin
