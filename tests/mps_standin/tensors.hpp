// The device's tensors: how the queue sees them, and how their shape and memory change.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace mpsbench::standin {

// What is known of a tensor before it is computed.
struct Layout {
  at::ScalarType dtype;
  std::vector<std::int64_t> sizes, strides;

  friend bool operator==(const Layout&, const Layout&) = default;
};

[[nodiscard]] Layout layout_of(const at::Tensor& tensor);

// TENSOR's own memory as a tensor of the CPU, for the queue. It may be resized like any; the device's tensor
// does not follow.
[[nodiscard]] at::Tensor on_host(const at::Tensor& tensor);

// A tensor of the device. Throws MPS's error for float64.
[[nodiscard]] at::Tensor make_tensor(const Layout& layout);

// Gives TENSOR of the device LAYOUT's sizes and strides, and more memory where these need it.
void resize_to(const at::Tensor& tensor, const Layout& layout);

// MPS's error for float64, which it does not have.
void require_dtype(at::ScalarType dtype);

}  // namespace mpsbench::standin
