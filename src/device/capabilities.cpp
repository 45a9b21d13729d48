#include "device/capabilities.hpp"

#include <torch/version.h>

#include <cstdlib>
#include <string_view>

namespace mpsbench::device {
namespace {

constexpr Capabilities kCpu{.overflow_skips = true};
constexpr Capabilities kCuda{
    .asynchronous = true, .events = true, .graphs = true, .copy_streams = true, .overflow_skips = true};
constexpr Capabilities kMps{.asynchronous = true,
                            .overflow_skips = TORCH_VERSION_MAJOR * 100 + TORCH_VERSION_MINOR >= 213};

}  // namespace

Capabilities capabilities_of(c10::DeviceType type) {
  if (type == c10::DeviceType::CPU) return kCpu;
  const char* row = std::getenv("MPSBENCH_DEVICE_ROW");
  const bool as_mps = row != nullptr && std::string_view(row) == "mps";
  return type == c10::DeviceType::CUDA && !as_mps ? kCuda : kMps;
}

}  // namespace mpsbench::device
