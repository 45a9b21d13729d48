#include "sensor/nvml.hpp"

#include "sensor/fake_nvml.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::sensor {
namespace {

Readings read(NvmlGpu& gpu) {
  Readings readings;
  gpu.read(readings);
  return readings;
}

constexpr const char* kPlace = "0000:3B:00.0";

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

TEST(NvmlGpu, ReadsWhatTheGpuTells) {
  tests::nvml_says("clock=1500 max_clock=1980 temperature=65 power=600000 energy=1000 slowdowns=0 utilization=97");
  NvmlGpu gpu(Nvml::open(MPSBENCH_FAKE_NVML), kPlace);
  EXPECT_TRUE(gpu.missing().empty());
  EXPECT_EQ(read(gpu), (Readings{{"gpu_clock", 1.5e9},
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
    EXPECT_EQ(read(gpu), (Readings{{"gpu_throttled", reason.throttled},
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
  EXPECT_EQ(read(gpu), (Readings{{"gpu_clock", 1.7e9}}));
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
  EXPECT_EQ(read(absent), Readings{});
  EXPECT_EQ(absent.others(), Readings{});
}

}  // namespace
}  // namespace mpsbench::sensor
