#include "sensor/system_files.hpp"

#include "sensor/read.hpp"
#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::sensor {

namespace {

using tests::RecordedTree;

std::string cpu(int number) {
  return "sys/devices/system/cpu/cpu" + std::to_string(number) + "/";
}

TEST(CpuFiles, ReadClocksTemperaturesAndEvents) {
  const RecordedTree tree;
  for (const int number : {0, 1}) {
    tree.add(cpu(number) + "cpufreq/scaling_cur_freq", number == 0 ? "3000000\n" : "2000000\n");
    tree.add(cpu(number) + "thermal_throttle/core_throttle_count", "4\n");
    tree.add(cpu(number) + "thermal_throttle/package_throttle_count", "10\n");
  }
  tree.add("sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "1\n");  // not a CPU's folder
  tree.add("sys/class/hwmon/hwmon0/name", "nvme\n");
  tree.add("sys/class/hwmon/hwmon0/temp1_input", "99000\n");
  tree.add("sys/class/hwmon/hwmon1/name", "coretemp\n");
  tree.add("sys/class/hwmon/hwmon1/temp1_input", "61500\n");
  tree.add("sys/class/hwmon/hwmon2/name", "coretemp\n");
  tree.add("sys/class/hwmon/hwmon2/temp1_input", "58000\n");
  CpuFiles files(tree.root());
  EXPECT_TRUE(files.missing().empty());
  EXPECT_EQ(tests::read(files),
            (Readings{{"cpu_clock", 2.5e9}, {"cpu_temperature", 61.5}, {"cpu_throttle_events", 28}}));
}

TEST(CpuFiles, TakeThermalZonesOfTheCpuWhereThereIsNoMonitor) {
  const RecordedTree tree;
  tree.add("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  tree.add("sys/class/thermal/thermal_zone0/temp", "90000\n");
  tree.add("sys/class/thermal/thermal_zone1/type", "cpu-thermal\n");
  tree.add("sys/class/thermal/thermal_zone1/temp", "55000\n");
  CpuFiles files(tree.root());
  EXPECT_EQ(tests::read(files), (Readings{{"cpu_temperature", 55}}));
}

TEST(CpuFiles, AskFewOfManyClocks) {
  const RecordedTree tree;
  // Sixteen evenly spread CPUs have a clock that no other has, so the mean shows which CPUs were read.
  for (int number = 0; number < 64; ++number)
    tree.add(cpu(number) + "cpufreq/scaling_cur_freq", number % 4 == 0 ? "1000000\n" : "3000000\n");
  CpuFiles files(tree.root());
  EXPECT_EQ(tests::read(files), (Readings{{"cpu_clock", 1e9}}));
}

TEST(CpuFiles, LeaveOutASumThatHasLostAPart) {
  const RecordedTree tree;
  for (const int number : {0, 1}) tree.add(cpu(number) + "thermal_throttle/core_throttle_count", "4\n");
  CpuFiles files(tree.root());
  EXPECT_EQ(tests::read(files), (Readings{{"cpu_throttle_events", 8}}));
  std::filesystem::remove_all(tree.root() / cpu(1));
  EXPECT_EQ(tests::read(files), Readings{});
}

TEST(CpuFiles, SayWhatIsMissing) {
  const RecordedTree tree;
  CpuFiles files(tree.root());
  EXPECT_EQ(tests::read(files), Readings{});
  std::vector<std::string> names;
  for (const MissingSensor& one : files.missing()) {
    names.push_back(one.name);
    EXPECT_FALSE(one.reason.empty());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"cpu_clock", "cpu_temperature", "cpu_throttle_events"}));
}

TEST(CpuQuota, CountsPausesOnlyWhereThereIsAQuota) {
  const tests::RecordedTree tree;
  CpuQuota quota(tree.root());
  tree.add("proc/self/cgroup", "0::/app\n");
  tree.add("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  tree.add("sys/fs/cgroup/app/cpu.stat", "nr_periods 5\nnr_throttled 4\n");
  EXPECT_EQ(tests::read(quota), Readings{});
  tree.add("sys/fs/cgroup/app/cpu.max", "100000 100000\n");
  EXPECT_EQ(tests::read(quota), (Readings{{"cpu_quota_pauses", 4}}));
  EXPECT_TRUE(quota.missing().empty());
}

TEST(PowerSource, LaptopOnBatteryAndOnMains) {
  const RecordedTree tree;
  EXPECT_FALSE(read_power(tree.root()).source);
  tree.add("sys/class/power_supply/BAT0/type", "Battery\n");
  tree.add("sys/class/power_supply/BAT0/status", "Discharging\n");
  tree.add("sys/class/power_supply/AC/type", "Mains\n");
  tree.add("sys/class/power_supply/AC/online", "0\n");
  EXPECT_EQ(read_power(tree.root()).source, "battery");
  tree.add("sys/class/power_supply/AC/online", "1\n");
  EXPECT_EQ(read_power(tree.root()).source, "ac");
}

TEST(PowerSource, AMouseIsNotABattery) {
  const RecordedTree tree;
  tree.add("sys/class/power_supply/hid/type", "Battery\n");
  tree.add("sys/class/power_supply/hid/scope", "Device\n");
  tree.add("sys/class/power_supply/hid/status", "Discharging\n");
  EXPECT_EQ(read_power(tree.root()).source, "ac");
}

TEST(PowerMode, IsThePlatformsProfile) {
  const RecordedTree tree;
  EXPECT_FALSE(read_power(tree.root()).mode);
  tree.add("sys/firmware/acpi/platform_profile", "low-power\n");
  EXPECT_EQ(read_power(tree.root()).mode, "low-power");
  tree.add("sys/firmware/acpi/platform_profile", "balanced\n");
  EXPECT_EQ(read_power(tree.root()).mode, "normal");
}

TEST(PowerFiles, FollowTheMachineFromMainsToBattery) {
  const RecordedTree tree;
  tree.add("sys/class/power_supply/BAT0/type", "Battery\n");
  tree.add("sys/class/power_supply/BAT0/status", "Charging\n");
  tree.add("sys/firmware/acpi/platform_profile", "balanced\n");
  PowerFiles files(tree.root());
  EXPECT_TRUE(files.missing().empty());
  Readings readings;
  files.read(readings);
  EXPECT_EQ(readings, (Readings{{"on_battery", 0}, {"low_power_mode", 0}}));
  tree.add("sys/class/power_supply/BAT0/status", "Discharging\n");
  tree.add("sys/firmware/acpi/platform_profile", "low-power\n");
  files.read(readings);
  EXPECT_EQ(readings, (Readings{{"on_battery", 1}, {"low_power_mode", 1}}));
}

TEST(PowerFiles, SayWhatIsMissing) {
  const RecordedTree tree;
  PowerFiles files(tree.root());
  EXPECT_EQ(files.missing().size(), 2U);
  Readings readings;
  files.read(readings);
  EXPECT_EQ(readings, Readings{});
}

}  // namespace

}  // namespace mpsbench::sensor
