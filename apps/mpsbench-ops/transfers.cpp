#include "base/clock.hpp"
#include "operation.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <limits>

namespace mpsbench::ops {
namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;

// Well above any cache.
constexpr std::int64_t kCpuMebibytes = 64;
constexpr std::int64_t kGpuMebibytes = 512;

at::TensorOptions fp32_on(const c10::Device& device) {
  return at::TensorOptions().dtype(c10::ScalarType::Float).device(device);
}

at::Tensor ones_of(std::int64_t mebibytes, const at::TensorOptions& options) {
  return at::ones({mebibytes * kMebibyte / static_cast<std::int64_t>(sizeof(float))}, options);
}

Operation add_tensors(const device::Device& device, std::int64_t mebibytes) {
  const at::Tensor left = ones_of(mebibytes, fp32_on(device.torch()));
  const at::Tensor right = ones_of(mebibytes, fp32_on(device.torch()));
  at::Tensor sum = ones_of(mebibytes, fp32_on(device.torch()));
  Operation operation{.bytes = 3 * static_cast<double>(sum.nbytes())};
  operation.run = [left, right, sum]() mutable { at::add_out(sum, left, right); };
  return operation;
}

// PINNED: the host's side is memory that the device reads and writes by itself.
Operation copy(const device::Device& device, bool to_host, bool pinned, std::int64_t mebibytes) {
  const at::Tensor here = ones_of(mebibytes, fp32_on(c10::kCPU).pinned_memory(pinned));
  const at::Tensor there = ones_of(mebibytes, fp32_on(device.torch()));
  Operation operation{.bytes = static_cast<double>(here.nbytes())};
  operation.run = [here, there, to_host] { (to_host ? here : there).copy_(to_host ? there : here); };
  return operation;
}

std::function<void()> smallest(const device::Device& device) {
  const at::Tensor number = at::ones({1}, fp32_on(device.torch()));
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
        all.push_back(
            {name, device, step::Precision::fp32, [=] { return copy(*device, to_host, pinned, mebibytes); }});
      }
    }
  }
}

}  // namespace

std::vector<Benchmark> transfer_benchmarks(const Target& target) {
  const device::Device* device = target.device;
  const std::int64_t mebibytes = device->torch().is_cpu() ? kCpuMebibytes : kGpuMebibytes;
  std::vector<Benchmark> all;
  all.push_back({"add/" + target.name + "/fp32/" + std::to_string(mebibytes) + "MiB", device,
                 step::Precision::fp32, [=] { return add_tensors(*device, mebibytes); }});
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
