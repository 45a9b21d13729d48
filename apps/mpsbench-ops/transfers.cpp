#include "base/clock.hpp"
#include "operation.hpp"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <limits>

namespace mpsbench::ops {
namespace {

// If PINNED, the host's side is memory that the device accesses directly.
Operation copy(const device::Device& device, bool to_host, bool pinned, std::int64_t mebibytes) {
  const std::int64_t count = mebibytes * kFp32OfMebibyte;
  const at::Tensor here = fp32_ones(count, c10::kCPU, pinned);
  const at::Tensor there = fp32_ones(count, device.torch());
  Operation operation{.bytes = static_cast<double>(here.nbytes())};
  operation.run = [here, there, to_host] { (to_host ? here : there).copy_(to_host ? there : here); };
  return operation;
}

std::function<void()> smallest(const device::Device& device) {
  const at::Tensor number = fp32_ones(1, device.torch());
  return [number] { number.add_(1); };
}

void add_copies(std::vector<Benchmark>& all, const Target& target) {
  const device::Device* device = target.device;
  for (const bool to_host : {false, true}) {
    for (const bool pinned : {false, true}) {
      if (pinned && !device->torch().is_cuda()) continue;
      for (const std::int64_t mebibytes : {1, 64}) {
        const std::string name = std::string(to_host ? "copy_to_host/" : "copy_to_device/") + target.name +
                                 (pinned ? "/pinned/" : "/pageable/") + std::to_string(mebibytes) + "MiB";
        all.push_back({name, device, step::Precision::fp32, [=] { return copy(*device, to_host, pinned, mebibytes); }});
      }
    }
  }
}

}  // namespace

std::vector<Benchmark> transfer_benchmarks(const Target& target) {
  const device::Device* device = target.device;
  std::vector<Benchmark> all;
  all.push_back({"launch/" + target.name, device, step::Precision::fp32, [=] {
                   return Operation{[device, run = smallest(*device)] {
                     run();
                     device->synchronize();
                   }};
                 }});
  if (!device->asynchronous()) return all;
  all.push_back({"synchronize/" + target.name, device, step::Precision::fp32,
                 [=] { return Operation{[device] { device->synchronize(); }}; }});
  add_copies(all, target);
  return all;
}

double round_trip_seconds(const device::Device& device) {
  constexpr int kTries = 20;
  const std::function<void()> run = smallest(device);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTries; ++i) {
    device.synchronize();
    const double start = base::steady_seconds();
    run();
    device.synchronize();
    best = std::min(best, base::steady_seconds() - start);
  }
  return best;
}

}  // namespace mpsbench::ops
