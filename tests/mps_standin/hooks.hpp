// The functions through which LibTorch uses MPS.
#pragma once

#include <ATen/core/Generator.h>

namespace mpsbench::standin {

// Returns the device's random generator: a separate generator of the CPU's type, so that equal seeds give
// equal numbers.
[[nodiscard]] const at::Generator& default_generator();

}  // namespace mpsbench::standin
