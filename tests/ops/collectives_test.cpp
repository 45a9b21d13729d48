#include "operation.hpp"
#include "rank_threads.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace mpsbench::ops {
namespace {

class CollectivesTest : public testing::Test {
 protected:
  Operation make(const std::string& name) {
    for (const Benchmark& one : collective_benchmarks({&cpu_, &cpu_})) {
      if (one.name == name) return one.make();
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }

  device::Device cpu_ = device::Device::open("cpu");
};

TEST_F(CollectivesTest, CountTheBytesOfAConnection) {
  constexpr double kMebibyte = 1 << 20;
  EXPECT_EQ(make("all_reduce/cpu/x2/1MiB").bus_bytes, kMebibyte);
  EXPECT_EQ(make("all_gather/cpu/x2/1MiB").bus_bytes, kMebibyte / 2);
  EXPECT_EQ(make("broadcast/cpu/x2/1MiB").bus_bytes, kMebibyte);
}

TEST_F(CollectivesTest, RunAgainAndAgain) {
  for (const char* name : {"all_reduce/cpu/x2/64KiB", "all_gather/cpu/x2/4KiB", "broadcast/cpu/x2/1MiB",
                           "matmuls/cpu/x2/25MiB", "matmuls_beside_all_reduce/cpu/x2/25MiB"}) {
    const Operation operation = make(name);
    EXPECT_NO_THROW(operation.run_times(1)) << name;
    EXPECT_NO_THROW(operation.run_times(3)) << name;
  }
}

TEST_F(CollectivesTest, OnlyDevicesWithGraphsReplayThem) {
  for (const Benchmark& one : collective_benchmarks({&cpu_, &cpu_}))
    EXPECT_EQ(one.name.find("graph"), std::string::npos) << one.name;
}

TEST_F(CollectivesTest, RankThreadsPassFailuresOn) {
  RankThreads ranks({&cpu_, &cpu_, &cpu_});
  std::atomic<int> sum = 0;
  const auto add = [&sum](collective::Group& group, const device::Device&) { sum += group.rank() + 1; };
  ranks.run(add);
  EXPECT_EQ(sum, 6);
  const auto fail = [](collective::Group& group, const device::Device&) {
    if (group.rank() == 1) throw std::runtime_error("rank 1 is tired");
  };
  EXPECT_THROW(ranks.run(fail), std::runtime_error);
  ranks.run(add);
  EXPECT_EQ(sum, 12);
}

}  // namespace
}  // namespace mpsbench::ops
