// What the NVIDIA driver reports about its GPUs. The driver is loaded at run time, so a CPU-only build can
// ask it, too. And the limit of their memory, which needs a build with CUDA.
#pragma once

#include "schema/device_id.hpp"

#include <c10/core/Device.h>

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

// Returns the PCI bus id of an NVIDIA GPU ("0000:3B:00.0") among those that CUDA_VISIBLE_DEVICES shows, without
// creating a context on it; nullopt for other devices and for a GPU that does not exist.
[[nodiscard]] std::optional<std::string> pci_bus_id(const schema::DeviceId& id);

// Returns the UUID of such a GPU, or of the part of it that is shown (MIG), as 32 hexadecimal digits; nullopt as
// above.
[[nodiscard]] std::optional<std::string> gpu_uuid(const schema::DeviceId& id);

// Limits the memory that the caching allocator may take from the driver to FRACTION of the GPU's memory, unless
// PYTORCH_CUDA_ALLOC_CONF already sets a lower one. Does nothing in a build without CUDA.
void limit_cuda_memory(c10::DeviceIndex index, double fraction);

}  // namespace mpsbench::device
