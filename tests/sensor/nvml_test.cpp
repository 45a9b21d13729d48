#include "sensor/nvml.hpp"

#include "sensor/fake_nvml.hpp"

#include <gtest/gtest.h>

namespace mpsbench::sensor {
namespace {

// The returned device keeps the library loaded.
NvmlDevice fake_gpu() {
  return Nvml::open(MPSBENCH_FAKE_NVML)->device_at("0000:3B:00.0").value();
}

TEST(Nvml, IsNullWithoutItsLibraryOrDriver) {
  EXPECT_EQ(Nvml::open("libno-such-nvml.so.1"), nullptr);
  tests::nvml_says("init=9");
  EXPECT_EQ(Nvml::open(MPSBENCH_FAKE_NVML), nullptr);
}

TEST(Nvml, FindsDevices) {
  tests::nvml_says("");
  const auto nvml = Nvml::open(MPSBENCH_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  ASSERT_EQ(nvml->devices().size(), 1U);
  EXPECT_EQ(nvml->devices()[0].name(), "Fake H200");
  EXPECT_TRUE(nvml->device_at("0000:3B:00.0"));
  EXPECT_FALSE(nvml->device_at("0000:86:00.0"));
}

TEST(Nvml, TellsInSiUnits) {
  tests::nvml_says(
      "clock=1500 max_clock=1980 temperature=65 power=612500 energy=123456789 slowdowns=68 utilization=97 "
      "processes=3 memory=600000000");
  const NvmlDevice device = fake_gpu();
  EXPECT_EQ(device.clock_hertz(), 1.5e9);
  EXPECT_EQ(device.max_clock_hertz(), 1.98e9);
  EXPECT_EQ(device.temperature_celsius(), 65);
  EXPECT_DOUBLE_EQ(device.power_watts().value(), 612.5);
  EXPECT_DOUBLE_EQ(device.energy_joules().value(), 123456.789);
  EXPECT_EQ(device.slowdowns(), Slowdown::kSwPowerCap | Slowdown::kHwThermal);
  EXPECT_DOUBLE_EQ(device.utilization().value(), 0.97);
  EXPECT_EQ(device.processes(), 3);
  EXPECT_EQ(device.memory_used(), 600'000'000);
}

TEST(Nvml, LeavesOpenWhatAGpuDoesNotTell) {
  tests::nvml_says("processes=0");
  const NvmlDevice device = fake_gpu();
  EXPECT_FALSE(device.clock_hertz() || device.max_clock_hertz() || device.temperature_celsius());
  EXPECT_FALSE(device.power_watts() || device.energy_joules() || device.slowdowns());
  EXPECT_FALSE(device.utilization() || device.memory_used());
  EXPECT_EQ(device.processes(), 0);
}

}  // namespace
}  // namespace mpsbench::sensor
