// What the NVIDIA driver reports about its GPUs. The driver is loaded at run time, so a CPU-only build can
// ask it, too.
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
  std::string cuda_version;   // the version that the driver supports: "13.0"
  std::vector<CudaGpu> gpus;  // those that CUDA_VISIBLE_DEVICES shows, in its order
};

// Converts CUDA's number for a version to text: 13000 is "13.0".
[[nodiscard]] std::string cuda_version_text(long number);

// Returns nullopt without a driver.
[[nodiscard]] std::optional<CudaDriver> read_cuda_driver();

// Returns the PCI bus id ("0000:3B:00.0") of the GPU at INDEX among those that CUDA_VISIBLE_DEVICES shows.
// Creates no context on the GPU.
[[nodiscard]] std::optional<std::string> cuda_pci_bus_id(int index);

// Returns the UUID of this GPU, or of the part of it that is shown (MIG), as 32 hexadecimal digits.
[[nodiscard]] std::optional<std::string> cuda_uuid(int index);

}  // namespace mpsbench::device
