// The most memory that CUDA's caching allocator may take from the driver.
#pragma once

#include <c10/core/Device.h>

namespace mpsbench::device {

// FRACTION of the GPU's memory, unless a lower limit was set by PYTORCH_CUDA_ALLOC_CONF already. Does nothing
// in a build without CUDA.
void limit_cuda_memory(c10::DeviceIndex index, double fraction);

}  // namespace mpsbench::device
