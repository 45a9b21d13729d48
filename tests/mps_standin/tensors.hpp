// The device's tensors: access for the queue, changes of shape and memory, and random numbers.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace mpsbench::standin {

// What is known about a tensor before it is computed.
struct Layout {
  at::ScalarType dtype;
  std::vector<std::int64_t> sizes, strides;

  friend bool operator==(const Layout&, const Layout&) = default;
};

[[nodiscard]] Layout layout_of(const at::Tensor& tensor);

// Returns a CPU tensor for the queue, which shares TENSOR's memory. Resizing it does not change the device's
// tensor.
[[nodiscard]] at::Tensor on_host(const at::Tensor& tensor);

// Makes a tensor on the device. Throws MPS's error for float64.
[[nodiscard]] at::Tensor make_tensor(const Layout& layout);

// Sets the sizes and strides of TENSOR, which is on the device, and allocates more memory if they need it.
void resize_to(const at::Tensor& tensor, const Layout& layout);

// Throws MPS's error if DTYPE is float64, which MPS lacks.
void require_dtype(at::ScalarType dtype);

// Returns the device's random generator: a separate generator of the CPU's type, so that equal seeds give
// equal numbers.
[[nodiscard]] const at::Generator& default_generator();

}  // namespace mpsbench::standin
