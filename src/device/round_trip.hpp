// Checks that tensors come back from a device as they were sent.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>

namespace mpsbench::device {

// SEND_AND_FETCH copies a tensor to a device and back. Returns which numbers came back with other bits; empty
// if none did.
[[nodiscard]] std::string why_not_returned(const std::function<at::Tensor(const at::Tensor&)>& send_and_fetch);

}  // namespace mpsbench::device
