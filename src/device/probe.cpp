#include "device/probe.hpp"

#include "base/error.hpp"
#include "device/availability.hpp"
#include "device/cuda_driver.hpp"
#include "device/device.hpp"

#include <string>

#ifdef __APPLE__
#include <ATen/mps/MPSDevice.h>
#endif

namespace mpsbench::device {
namespace {

using schema::DeviceStatus;

void try_out(DeviceStatus& status) {
  try {
    const Device device = Device::open(status.device);
    if (const auto memory = device.memory()) {
      status.memory_bytes = memory->total_bytes;
      status.free_bytes = memory->free_bytes;
    }
  } catch (const base::Error& error) {
    status.reason = error.what();
  }
  status.usable = status.reason.empty();
}

// A row a GPU that LibTorch sees; without one a single row with the reason.
std::vector<DeviceStatus> probe_cuda(const PlatformFacts& facts) {
  DeviceStatus first{.device = "cuda", .name = "NVIDIA GPU", .built_in = facts.cuda_built};
  first.reason = why_no_cuda(facts);
  if (!first.reason.empty()) return {first};
  const auto driver = read_cuda_driver();
  std::vector<DeviceStatus> rows;
  for (std::int64_t i = 0; i < facts.cuda_devices; ++i) {
    DeviceStatus row = first;
    if (i > 0) row.device += ":" + std::to_string(i);
    if (driver && static_cast<std::size_t>(i) < driver->gpus.size()) {
      const CudaGpu& gpu = driver->gpus[static_cast<std::size_t>(i)];
      row.name = gpu.name;
      row.capability = gpu.capability;
      row.memory_bytes = gpu.memory_bytes;
    }
    try_out(row);
    rows.push_back(row);
  }
  return rows;
}

DeviceStatus probe_mps(const PlatformFacts& facts) {
  DeviceStatus status{.device = "mps", .name = "Apple GPU", .built_in = facts.mps_built};
  status.reason = why_no_mps(facts);
  if (!status.reason.empty()) return status;
#ifdef __APPLE__
  status.name = at::mps::MPSDevice::getInstance()->getName() + " (unified memory)";
#endif
  try_out(status);
  return status;
}

}  // namespace

std::vector<DeviceStatus> probe_devices() {
  const PlatformFacts facts = platform_facts();
  DeviceStatus cpu{.device = "cpu", .name = "CPU", .built_in = true};
  cpu.reason = why_unusable(c10::Device(c10::kCPU));
  cpu.usable = cpu.reason.empty();
  std::vector<DeviceStatus> all{cpu};
  for (const DeviceStatus& gpu : probe_cuda(facts)) all.push_back(gpu);
  all.push_back(probe_mps(facts));
  return all;
}

}  // namespace mpsbench::device
