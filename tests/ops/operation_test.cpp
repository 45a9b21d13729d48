#include "operation.hpp"

#include "window.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace mpsbench::ops {
namespace {

std::vector<Benchmark> all_of(const device::Device& device) {
  const Target target{&device, "cpu"};
  std::vector<Benchmark> all = function_benchmarks(target);
  for (const Benchmark& one : transfer_benchmarks(target)) all.push_back(one);
  return all;
}

TEST(Operations, WorkIsCounted) {
  constexpr double kMebibyte = 1024 * 1024;
  constexpr double kImages = 4.0 * 64 * 56 * 56;
  const std::map<std::string, std::pair<double, double>> expected{
      {"matmul/cpu/fp32/1024", {2.0 * 1024 * 1024 * 1024, 0}},
      {"matmul_backward/cpu/bf16/256", {4.0 * 256 * 256 * 256, 0}},
      {"conv2d/cpu/fp32/4x64x56x56/3x3", {2 * kImages * 64 * 9, 0}},
      {"conv2d_backward/cpu/fp32/4x64x56x56/1x1", {4 * kImages * 64, 0}},
      {"attention/cpu/bf16/2x12x128x64", {2 * 2 * 2.0 * 12 * 128 * 128 * 64, 0}},
      {"relu/cpu/fp32/4x64x56x56", {0, 2 * 4 * kImages}},
      {"max_pool2d/cpu/fp32/4x64x56x56", {0, 4 * (kImages + kImages / 4)}},
      {"add/cpu/fp32/64MiB", {0, 3 * 64 * kMebibyte}},
      {"launch/cpu", {0, 0}}};
  const device::Device cpu = device::Device::open("cpu");
  std::size_t found = 0;
  for (const Benchmark& one : all_of(cpu)) {
    const auto wanted = expected.find(one.name);
    if (wanted == expected.end()) continue;
    ++found;
    const Operation operation = one.make();
    EXPECT_EQ(operation.flops, wanted->second.first) << one.name;
    EXPECT_EQ(operation.bytes, wanted->second.second) << one.name;
  }
  EXPECT_EQ(found, expected.size());
}

TEST(Operations, EachHasItsOwnNameAndRunsAgainAndAgain) {
  const device::Device cpu = device::Device::open("cpu");
  std::set<std::string> names;
  std::set<std::string> kinds;
  for (const Benchmark& one : all_of(cpu)) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    kinds.insert(one.name.substr(0, one.name.find('/')));
    if (one.name.ends_with("/2048")) continue;  // slow, and different only in size
    const Operation operation = one.make();
    operation.run();
    operation.run();
  }
  for (const char* kind :
       {"matmul", "conv2d", "attention", "batch_norm", "layer_norm", "max_pool2d", "avg_pool2d", "relu", "gelu"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
    EXPECT_TRUE(kinds.contains(std::string(kind) + "_backward")) << kind;
  }
}

TEST(RoundTrip, TakesTime) {
  EXPECT_GT(round_trip_seconds(device::Device::open("cpu")), 0);
}

TEST(OperationsPerWindow, HidesTheOverhead) {
  // An overhead of 10 us needs windows of 10 ms.
  const auto operations_of = [](double seconds) {
    return operations_per_window([=](std::int64_t count) { return static_cast<double>(count) * seconds; }, 1e-5);
  };
  EXPECT_EQ(operations_of(1.0), 1);
  EXPECT_EQ(operations_of(0.01), 1);
  EXPECT_EQ(operations_of(0.009), 2);
  EXPECT_EQ(operations_of(1e-5), 1024);
  EXPECT_EQ(operations_of(0), OpsWindowRule::kMostOperations);
  EXPECT_EQ(operations_per_window([](std::int64_t) { return 1e-9; }, 0), 1) << "a costless clock";
}

}  // namespace
}  // namespace mpsbench::ops
