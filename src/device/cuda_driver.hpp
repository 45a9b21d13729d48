// What the NVIDIA driver says of its GPUs. Loaded at run time, so a build for the CPU asks it, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::device {

struct CudaGpu {
  std::string name;
  std::int64_t memory_bytes = 0;
  std::string capability;  // "9.0"
};

struct CudaDriver {
  std::string cuda_version;   // that it serves: "13.0"
  std::vector<CudaGpu> gpus;  // those that CUDA_VISIBLE_DEVICES leaves, in its order
};

// CUDA's number for a version as people write it: 13000 is "13.0".
[[nodiscard]] std::string cuda_version_text(long number);

// Nullopt without a driver.
[[nodiscard]] std::optional<CudaDriver> read_cuda_driver();

// "0000:3B:00.0", of the GPU at INDEX among those that CUDA_VISIBLE_DEVICES leaves; makes no context there.
[[nodiscard]] std::optional<std::string> cuda_pci_bus_id(int index);

}  // namespace mpsbench::device
