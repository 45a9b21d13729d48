// The hooks that LibTorch asks about MPS.
#pragma once

#include <ATen/core/Generator.h>

namespace mpsbench::standin {

// The device's random numbers: the CPU's generator, but one of its own, which equal seeds make equal.
[[nodiscard]] const at::Generator& default_generator();

}  // namespace mpsbench::standin
