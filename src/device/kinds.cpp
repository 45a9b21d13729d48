#include "device/kinds.hpp"

#include "device/cuda_driver.hpp"

#include <torch/version.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <tuple>

#ifdef __APPLE__
#include <ATen/mps/MPSDevice.h>
#endif

namespace mpsbench::device {
namespace {

using schema::DeviceKind;

void describe_nothing(schema::DeviceStatus& /*status*/) {}

void describe_cuda(schema::DeviceStatus& status) {
  const auto driver = read_cuda_driver();
  const auto index = static_cast<std::size_t>(status.device.index);
  if (!driver || index >= driver->gpus.size()) return;
  const CudaGpu& gpu = driver->gpus[index];
  status.name = gpu.name;
  status.capability = gpu.capability;
  status.memory_bytes = gpu.memory_bytes;
}

#ifdef __APPLE__
void describe_mps(schema::DeviceStatus& status) {
  status.name = at::mps::MPSDevice::getInstance()->getName() + " (unified memory)";
}
#else
void describe_mps(schema::DeviceStatus& /*status*/) {}
#endif

constexpr std::int64_t one(const PlatformFacts& /*facts*/) {
  return 1;
}

// MPS has events, but up to LibTorch 2.13 their times can run backwards and waiting for them can hang. So MPS
// is timed only by windows. Up to LibTorch 2.12 its fused optimizers ignore found_inf (pytorch PR 186360).
constexpr bool kMpsSkips = TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR >= 213;

const std::array kRows{
    KindRow{DeviceKind::cpu,
            c10::kCPU,
            {.overflow_skips = true, .unified_memory = true},
            [](const PlatformFacts&) { return true; },
            [](const PlatformFacts&) { return std::string(); },
            one,
            describe_nothing},
    KindRow{DeviceKind::mps,
            c10::kMPS,
            {.overflow_skips = kMpsSkips, .unified_memory = true},
            [](const PlatformFacts& facts) { return facts.mps_built; },
            why_no_mps,
            one,
            describe_mps},
    KindRow{DeviceKind::cuda,
            c10::kCUDA,
            {.events = true, .graphs = true, .copy_streams = true, .overflow_skips = true, .tf32 = true},
            [](const PlatformFacts& facts) { return facts.cuda_built; },
            why_no_cuda,
            [](const PlatformFacts& facts) { return facts.cuda_devices; },
            describe_cuda}};

static_assert(std::tuple_size_v<decltype(kRows)> == schema::ClosedSet<DeviceKind>::kRows.size());

}  // namespace

std::span<const KindRow> kind_rows() {
  return kRows;
}

const KindRow& kind_row(DeviceKind kind) {
  return kRows.at(static_cast<std::size_t>(kind));
}

Capabilities capabilities_of(DeviceKind kind) {
  const char* row = std::getenv("MPSBENCH_DEVICE_ROW");
  const bool as_mps = kind == DeviceKind::cuda && row != nullptr && std::string_view(row) == "mps";
  return kind_row(as_mps ? DeviceKind::mps : kind).capabilities;
}

}  // namespace mpsbench::device
