#include "device/probe.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <string>

namespace mpsbench::device {
namespace {

// The sum of (0 ... n-1) times two, worked out on the device, against the closed form.
std::string why_unusable(c10::DeviceType type) {
  try {
    constexpr std::int64_t kCount = 1000;
    const at::Tensor numbers = at::arange(kCount, at::TensorOptions().dtype(at::kFloat)).to(type);
    const auto sum = (numbers * 2).sum().item<float>();
    constexpr auto kExpected = static_cast<float>(kCount * (kCount - 1));
    return std::abs(sum - kExpected) <= 1e-5F * kExpected ? "" : "it computed a wrong sum";
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
}

schema::DeviceStatus probe(const std::string& device, const std::string& name, c10::DeviceType type,
                           bool built_in) {
  schema::DeviceStatus status;
  status.device = device;
  status.name = name;
  status.built_in = built_in;
  status.reason = built_in ? why_unusable(type) : "this LibTorch is built without it";
  status.usable = status.reason.empty();
  return status;
}

}  // namespace

std::vector<schema::DeviceStatus> probe_devices() {
  return {probe("cpu", "CPU", c10::kCPU, true),
          probe("cuda", "NVIDIA GPU", c10::kCUDA, at::globalContext().hasCUDA()),
          probe("mps", "Apple GPU", c10::kMPS, at::globalContext().hasMPS())};
}

}  // namespace mpsbench::device
