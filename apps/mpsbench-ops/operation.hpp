// What is timed: one operation on one device, and the work that it does.
#pragma once

#include "device/device.hpp"
#include "step/precision.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}

namespace mpsbench::ops {

// Zero: the operation has no such figure.
struct Operation {
  std::function<void()> run{};  // queues it once
  double flops = 0;             // of one run; 2 a multiply-accumulate
  double bytes = 0;             // that one run must read and write at least
};

struct Benchmark {
  std::string name;  // "matmul/cpu/fp32/1024"
  const device::Device* device = nullptr;
  step::Precision precision = step::Precision::fp32;
  std::function<Operation()> make;  // allocates the operation's tensors
};

struct Target {
  const device::Device* device = nullptr;
  std::string name;  // "cuda:1"
};

// Products, convolution, attention, normalisation, pooling and activations, forward and backward, and the
// memory's bandwidth.
[[nodiscard]] std::vector<Benchmark> function_benchmarks(const Target& target);
// Copies between host and device, launch and synchronise.
[[nodiscard]] std::vector<Benchmark> transfer_benchmarks(const Target& target);

inline constexpr std::int64_t kFp32OfMebibyte = (std::int64_t{1} << 20) / 4;

// COUNT fp32 ones; PINNED: on the host, where the device reads and writes by itself.
[[nodiscard]] at::Tensor fp32_ones(std::int64_t count, const c10::Device& device, bool pinned = false);

// From queueing the smallest operation to knowing that it is done, on an idle device.
[[nodiscard]] double round_trip_seconds(const device::Device& device);

}  // namespace mpsbench::ops
