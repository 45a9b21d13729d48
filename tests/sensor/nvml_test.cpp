#include "sensor/nvml.hpp"

#include "sensor/fake_nvml.hpp"
#include "sensor/read.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::sensor {
namespace {

constexpr const char* kPlace = "0000:3B:00.0";

// The returned device keeps the library loaded.
NvmlDevice fake_gpu() {
  return Nvml::open(MPSBENCH_FAKE_NVML)->device_at(kPlace).value();
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

TEST(NvmlGpu, ReadsWhatTheGpuTells) {
  tests::nvml_says("clock=1500 max_clock=1980 temperature=65 power=600000 energy=1000 slowdowns=0 utilization=97");
  NvmlGpu gpu(Nvml::open(MPSBENCH_FAKE_NVML), kPlace);
  EXPECT_TRUE(gpu.missing().empty());
  EXPECT_EQ(tests::read(gpu), (Readings{{"gpu_clock", 1.5e9},
                                        {"gpu_max_clock", 1.98e9},
                                        {"gpu_temperature", 65},
                                        {"gpu_power", 600},
                                        {"gpu_energy", 1},
                                        {"gpu_utilization", 0.97},
                                        {"gpu_throttled", 0},
                                        {"gpu_sw_power_cap", 0},
                                        {"gpu_hw_slowdown", 0},
                                        {"gpu_clocks_setting", 0}}));
}

TEST(NvmlGpu, HeatAndThePowerBrakeThrottleThePowerLimitDoesNot) {
  struct Reason {
    const char* said;
    double throttled, power_cap, slowdown, setting;
  };
  for (const Reason& reason :
       {Reason{"slowdowns=2", 0, 0, 0, 1}, Reason{"slowdowns=4", 0, 1, 0, 0}, Reason{"slowdowns=8", 0, 0, 1, 0},
        Reason{"slowdowns=32", 1, 0, 0, 0}, Reason{"slowdowns=72", 1, 0, 1, 0}, Reason{"slowdowns=128", 1, 0, 0, 0},
        Reason{"slowdowns=257", 0, 0, 0, 0}}) {
    tests::nvml_says(reason.said);
    NvmlGpu gpu(Nvml::open(MPSBENCH_FAKE_NVML), kPlace);
    EXPECT_EQ(tests::read(gpu), (Readings{{"gpu_throttled", reason.throttled},
                                          {"gpu_sw_power_cap", reason.power_cap},
                                          {"gpu_hw_slowdown", reason.slowdown},
                                          {"gpu_clocks_setting", reason.setting}}))
        << reason.said;
  }
}

TEST(NvmlGpu, TellsOfOthersBeforeItIsUsed) {
  tests::nvml_says("processes=2 memory=5000 utilization=40");
  const NvmlGpu gpu(Nvml::open(MPSBENCH_FAKE_NVML), kPlace);
  EXPECT_EQ(gpu.others(),
            (Readings{{"gpu_other_processes", 2}, {"gpu_other_memory", 5000}, {"gpu_other_utilization", 0.4}}));
  const auto uses = gpus_in_use(MPSBENCH_FAKE_NVML);
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].name, "Fake H200");
  EXPECT_EQ(uses[0].processes, 2);
  EXPECT_TRUE(gpus_in_use("libno-such-nvml.so.1").empty());
}

TEST(NvmlGpu, IsTheOneAtItsPlace) {
  tests::nvml_says("clock=1500");
  const auto nvml = Nvml::open(MPSBENCH_FAKE_NVML);
  const tests::ScopedVariable second("FAKE_NVML_2", "clock=1700");
  NvmlGpu gpu(nvml, "0000:AF:00.0");
  EXPECT_EQ(tests::read(gpu), (Readings{{"gpu_clock", 1.7e9}}));
  EXPECT_EQ(gpu.name(), "Fake H200");
  EXPECT_EQ(NvmlGpu(nvml, "0000:86:00.0").name(), std::nullopt);
}

TEST(NvmlGpu, SaysWhyNot) {
  tests::nvml_says("clock=1500");
  const auto reason = [](const Source& gpu) { return gpu.missing().at(0).reason; };
  NvmlGpu old(Nvml::open(MPSBENCH_FAKE_NVML), kPlace);
  EXPECT_NE(reason(old).find("no energy counter"), std::string::npos);
  NvmlGpu elsewhere(Nvml::open(MPSBENCH_FAKE_NVML), "0000:86:00.0");
  EXPECT_NE(reason(elsewhere).find("0000:86:00.0"), std::string::npos);
  NvmlGpu absent(nullptr, kPlace);
  EXPECT_NE(reason(absent).find("does not load"), std::string::npos);
  EXPECT_EQ(tests::read(absent), Readings{});
  EXPECT_EQ(absent.others(), Readings{});
}

}  // namespace
}  // namespace mpsbench::sensor
