#include "device/cuda_driver.hpp"

#include <c10/cuda/CUDACachingAllocator.h>

namespace mpsbench::device {

void limit_cuda_memory(c10::DeviceIndex index, double fraction) {
  if (fraction < c10::cuda::CUDACachingAllocator::getMemoryFraction(index))
    c10::cuda::CUDACachingAllocator::setMemoryFraction(fraction, index);
}

}  // namespace mpsbench::device
