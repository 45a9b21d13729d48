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

void add_domain(const RecordedTree& tree, const std::string& zone, const std::string& name) {
  const std::string folder = "sys/class/powercap/" + zone + "/";
  tree.add(folder + "name", name + "\n");
  tree.add(folder + "max_energy_range_uj", "262143328850\n");
}

void set_energy(const RecordedTree& tree, const std::string& zone, const std::string& microjoules) {
  tree.add("sys/class/powercap/" + zone + "/energy_uj", microjoules + "\n");
}

double joules(Rapl& rapl, const std::string& quantity) {
  Readings readings;
  rapl.read(readings);
  return readings.at(quantity);
}

TEST(Rapl, AddsUpPackagesAndTheirMemory) {
  const RecordedTree tree;
  for (const auto& [zone, name] : {std::pair("intel-rapl:0", "package-0"), std::pair("intel-rapl:1", "package-1"),
                                   std::pair("intel-rapl:0:0", "core"), std::pair("intel-rapl:0:1", "dram"),
                                   std::pair("intel-rapl:2", "psys"), std::pair("intel-rapl-mmio:0", "package-0")}) {
    add_domain(tree, zone, name);
    set_energy(tree, zone, "1000000");
  }
  Rapl rapl(tree.root());
  EXPECT_TRUE(rapl.missing().empty());
  const double before = joules(rapl, "cpu_energy");
  set_energy(tree, "intel-rapl:0", "3500000");
  set_energy(tree, "intel-rapl:1", "2000000");
  set_energy(tree, "intel-rapl:0:0", "9000000");
  set_energy(tree, "intel-rapl:0:1", "1250000");
  set_energy(tree, "intel-rapl:2", "9000000");
  set_energy(tree, "intel-rapl-mmio:0", "9000000");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy") - before, 3.5);
  EXPECT_DOUBLE_EQ(joules(rapl, "dram_energy"), 0.25);
}

TEST(Rapl, ACounterThatWrapsGoesOnRising) {
  const RecordedTree tree;
  add_domain(tree, "intel-rapl:0", "package-0");
  set_energy(tree, "intel-rapl:0", "262143000000");
  Rapl rapl(tree.root());
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 0);
  set_energy(tree, "intel-rapl:0", "1671150");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 2);
  set_energy(tree, "intel-rapl:0", "2671150");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 3);
  set_energy(tree, "intel-rapl:0", "671150");
  EXPECT_DOUBLE_EQ(joules(rapl, "cpu_energy"), 3 + 262143.32885 - 2);
}

TEST(Rapl, HalfASumIsNone) {
  const RecordedTree tree;
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1"}) {
    add_domain(tree, zone, "package-" + std::string(zone).substr(11));
    set_energy(tree, zone, "5");
  }
  Rapl rapl(tree.root());
  std::filesystem::remove(tree.root() / "sys/class/powercap/intel-rapl:1/energy_uj");
  Readings readings;
  rapl.read(readings);
  EXPECT_TRUE(readings.empty());
}

TEST(Rapl, CountersThatAreClosedHaveACure) {
  const RecordedTree tree;
  add_domain(tree, "intel-rapl:0", "package-0");
  set_energy(tree, "intel-rapl:0", "5");
  add_domain(tree, "intel-rapl:1", "package-1");  // without the file energy_uj
  Rapl rapl(tree.root());
  Readings readings;
  rapl.read(readings);
  EXPECT_TRUE(readings.empty());
  ASSERT_EQ(rapl.missing().size(), 1U);
  EXPECT_EQ(rapl.missing()[0].name, "cpu_energy");
  EXPECT_NE(rapl.missing()[0].cure.find("chmod"), std::string::npos);
}

TEST(Rapl, AMachineWithoutIsNoFault) {
  const RecordedTree tree;
  const Rapl rapl(tree.root());
  ASSERT_EQ(rapl.missing().size(), 1U);
  EXPECT_FALSE(rapl.missing()[0].reason.empty());
  EXPECT_EQ(rapl.missing()[0].cure, "");
}

}  // namespace

}  // namespace mpsbench::sensor
