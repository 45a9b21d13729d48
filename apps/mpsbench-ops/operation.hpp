// The subject of a timing: one operation on one device, and the work that it does.
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

// A value of 0 means that it does not apply to the operation.
struct Operation {
  std::function<void()> run{};                    // queues the operation once
  std::function<void(std::int64_t)> run_times{};  // queues it so many times; null: by calling run
  double flops = 0;                               // of one run; a multiply-accumulate counts as 2
  double bytes = 0;                               // minimum that one run must read and write
  double bus_bytes = 0;                           // that one run must send over each device's connection
};

struct Benchmark {
  std::string name;  // "matmul/cpu/fp32/1024"
  const device::Device* device = nullptr;
  step::Precision precision = step::Precision::fp32;
  std::function<Operation()> make;  // also allocates the operation's tensors
};

struct Target {
  const device::Device* device = nullptr;
  std::string name;  // "cuda:1"
};

// Returns the benchmarks of matrix products, fully connected layers, convolution, attention, normalisation,
// pooling and activations (all forward and backward), and memory bandwidth.
[[nodiscard]] std::vector<Benchmark> function_benchmarks(const Target& target);
// Copies between host and device, a kernel launch, and a synchronise.
[[nodiscard]] std::vector<Benchmark> transfer_benchmarks(const Target& target);
// All-reduce, all-gather and broadcast over several DEVICES of one kind; on the CPU, over several threads
// that are connected as the processes of a launch are. Also all-reduce within a graph, where there are
// graphs, and matrix products alone and beside an all-reduce.
[[nodiscard]] std::vector<Benchmark> collective_benchmarks(const std::vector<const device::Device*>& devices);

inline constexpr std::int64_t kFp32OfMebibyte = (std::int64_t{1} << 20) / 4;

// Returns COUNT fp32 ones. If PINNED, they are in host memory that the device accesses directly.
[[nodiscard]] at::Tensor fp32_ones(std::int64_t count, const c10::Device& device, bool pinned = false);

// Returns the time on an idle device from queueing the smallest operation until the host knows that it is
// done.
[[nodiscard]] double round_trip_seconds(const device::Device& device);

}  // namespace mpsbench::ops
