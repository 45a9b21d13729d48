#include "cli/commands/device_entries.hpp"

#include <gtest/gtest.h>

namespace mpsbench::cli {
namespace {

schema::HostInfo mac() {
  schema::HostInfo host;
  host.cpu.model = "Apple M1 Max";
  host.cpu.physical_cores = 10;
  host.memory_bytes = std::int64_t{64} << 30;
  host.gpu_cores = 32;
  return host;
}

std::vector<schema::DeviceStatus> devices() {
  return {{.device = "cpu", .name = "the CPU", .built_in = true, .usable = true},
          {.device = "mps", .name = "Apple GPU", .built_in = true, .usable = true, .memory_bytes = 48},
          {.device = "cuda", .name = "NVIDIA GPU", .reason = "there is no CUDA on a Mac"}};
}

TEST(DeviceEntries, NameTheCpuAndItsMemory) {
  std::vector<schema::DeviceStatus> found = devices();
  describe_cpu(found, mac());
  const nlohmann::ordered_json entries = device_entries(found, mac());
  EXPECT_EQ(entries.at(0).at("name"), "Apple M1 Max");
  EXPECT_EQ(entries.at(0).at("memory_bytes"), std::int64_t{64} << 30);
  EXPECT_EQ(entries.at(1).at("name"), "Apple GPU");
  EXPECT_EQ(entries.at(1).at("memory_bytes"), 48);
}

TEST(DeviceEntries, CountTheCores) {
  const nlohmann::ordered_json entries = device_entries(devices(), mac());
  EXPECT_EQ(entries.at(0).at("cores"), 10);
  EXPECT_EQ(entries.at(1).at("cores"), 32);
  EXPECT_TRUE(entries.at(2).at("cores").is_null());
}

TEST(DeviceEntries, KeepTheWorkersNameOnAMachineThatTellsNothing) {
  std::vector<schema::DeviceStatus> found = devices();
  describe_cpu(found, {});
  const nlohmann::ordered_json entries = device_entries(found, {});
  EXPECT_EQ(entries.at(0).at("name"), "the CPU");
  EXPECT_TRUE(entries.at(0).at("memory_bytes").is_null());
  EXPECT_TRUE(entries.at(1).at("cores").is_null());
}

}  // namespace
}  // namespace mpsbench::cli
