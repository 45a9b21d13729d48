// Limits the memory that CUDA's caching allocator may take from the driver.
#pragma once

#include <c10/core/Device.h>

namespace mpsbench::device {

// Sets the limit to FRACTION of the GPU's memory, unless PYTORCH_CUDA_ALLOC_CONF already sets a lower one.
// Does nothing in a build without CUDA.
void limit_cuda_memory(c10::DeviceIndex index, double fraction);

}  // namespace mpsbench::device
