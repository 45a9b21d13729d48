#include "sensor/source.hpp"
#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mpsbench::sensor {

namespace {

using tests::RecordedTree;

// The sources of a machine with these files.
class Machine {
 public:
  explicit Machine(const RecordedTree& tree) : sources_(machine_sources({.root = tree.root()})) {}
  [[nodiscard]] Readings read() const {
    Readings readings;
    for (const auto& source : sources_) source->read(readings);
    return readings;
  }
  // Reasons and cures by the quantities' names.
  [[nodiscard]] std::map<std::string, std::string> missing() const {
    std::map<std::string, std::string> all;
    for (const auto& source : sources_) {
      for (const MissingSensor& one : source->missing()) all[one.name] = one.reason + "; " + one.cure;
    }
    return all;
  }

 private:
  Sources sources_;
};

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
  const Machine files(tree);
  for (const char* name : {"cpu_clock", "cpu_temperature", "cpu_throttle_events"})
    EXPECT_FALSE(files.missing().contains(name)) << name;
  EXPECT_EQ(files.read(), (Readings{{"cpu_clock", 2.5e9}, {"cpu_temperature", 61.5}, {"cpu_throttle_events", 28}}));
}

TEST(CpuFiles, TakeThermalZonesOfTheCpuWhereThereIsNoMonitor) {
  const RecordedTree tree;
  tree.add("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  tree.add("sys/class/thermal/thermal_zone0/temp", "90000\n");
  tree.add("sys/class/thermal/thermal_zone1/type", "cpu-thermal\n");
  tree.add("sys/class/thermal/thermal_zone1/temp", "55000\n");
  const Machine files(tree);
  EXPECT_EQ(files.read(), (Readings{{"cpu_temperature", 55}}));
}

TEST(CpuFiles, AskFewOfManyClocks) {
  const RecordedTree tree;
  // Sixteen evenly spread CPUs have a clock that no other has, so the mean shows which CPUs were read.
  for (int number = 0; number < 64; ++number)
    tree.add(cpu(number) + "cpufreq/scaling_cur_freq", number % 4 == 0 ? "1000000\n" : "3000000\n");
  const Machine files(tree);
  EXPECT_EQ(files.read(), (Readings{{"cpu_clock", 1e9}}));
}

TEST(CpuFiles, LeaveOutASumThatHasLostAPart) {
  const RecordedTree tree;
  for (const int number : {0, 1}) tree.add(cpu(number) + "thermal_throttle/core_throttle_count", "4\n");
  const Machine files(tree);
  EXPECT_EQ(files.read(), (Readings{{"cpu_throttle_events", 8}}));
  std::filesystem::remove_all(tree.root() / cpu(1));
  EXPECT_EQ(files.read(), Readings{});
}

TEST(Machine, SaysWhatIsMissing) {
  const RecordedTree tree;
  const Machine bare(tree);
  EXPECT_EQ(bare.read(), Readings{});
  std::vector<std::string> names;
  for (const auto& [name, reason] : bare.missing()) {
    names.push_back(name);
    EXPECT_GT(reason.size(), std::string("; ").size()) << name;
    EXPECT_TRUE(reason.ends_with("; ")) << "there is no cure: " << reason;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"cpu_clock", "cpu_energy", "cpu_temperature", "cpu_throttle_events",
                                             "low_power_mode", "on_battery"}));
}

TEST(CpuQuota, CountsPausesOnlyWhereThereIsAQuota) {
  const RecordedTree tree;
  const Machine quota(tree);
  tree.add("proc/self/cgroup", "0::/app\n");
  tree.add("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  tree.add("sys/fs/cgroup/app/cpu.stat", "nr_periods 5\nnr_throttled 4\n");
  EXPECT_EQ(quota.read(), Readings{});
  tree.add("sys/fs/cgroup/app/cpu.max", "100000 100000\n");
  EXPECT_EQ(quota.read(), (Readings{{"cpu_quota_pauses", 4}}));
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
  const Machine files(tree);
  EXPECT_FALSE(files.missing().contains("on_battery") || files.missing().contains("low_power_mode"));
  EXPECT_EQ(files.read(), (Readings{{"on_battery", 0}, {"low_power_mode", 0}}));
  tree.add("sys/class/power_supply/BAT0/status", "Discharging\n");
  tree.add("sys/firmware/acpi/platform_profile", "low-power\n");
  EXPECT_EQ(files.read(), (Readings{{"on_battery", 1}, {"low_power_mode", 1}}));
}

void add_domain(const RecordedTree& tree, const std::string& zone, const std::string& name) {
  const std::string folder = "sys/class/powercap/" + zone + "/";
  tree.add(folder + "name", name + "\n");
  tree.add(folder + "max_energy_range_uj", "262143328850\n");
}

void set_energy(const RecordedTree& tree, const std::string& zone, const std::string& microjoules) {
  tree.add("sys/class/powercap/" + zone + "/energy_uj", microjoules + "\n");
}

TEST(Rapl, AddsUpPackagesAndTheirMemory) {
  const RecordedTree tree;
  for (const auto& [zone, name] : {std::pair("intel-rapl:0", "package-0"), std::pair("intel-rapl:1", "package-1"),
                                   std::pair("intel-rapl:0:0", "core"), std::pair("intel-rapl:0:1", "dram"),
                                   std::pair("intel-rapl:2", "psys"), std::pair("intel-rapl-mmio:0", "package-0")}) {
    add_domain(tree, zone, name);
    set_energy(tree, zone, "1000000");
  }
  const Machine rapl(tree);
  EXPECT_FALSE(rapl.missing().contains("cpu_energy"));
  const double before = rapl.read().at("cpu_energy");
  set_energy(tree, "intel-rapl:0", "3500000");
  set_energy(tree, "intel-rapl:1", "2000000");
  set_energy(tree, "intel-rapl:0:0", "9000000");
  set_energy(tree, "intel-rapl:0:1", "1250000");
  set_energy(tree, "intel-rapl:2", "9000000");
  set_energy(tree, "intel-rapl-mmio:0", "9000000");
  EXPECT_DOUBLE_EQ(rapl.read().at("cpu_energy") - before, 3.5);
  EXPECT_DOUBLE_EQ(rapl.read().at("dram_energy"), 0.25);
}

TEST(Rapl, ACounterThatWrapsGoesOnRising) {
  const RecordedTree tree;
  add_domain(tree, "intel-rapl:0", "package-0");
  set_energy(tree, "intel-rapl:0", "262143000000");
  const Machine rapl(tree);
  EXPECT_DOUBLE_EQ(rapl.read().at("cpu_energy"), 0);
  set_energy(tree, "intel-rapl:0", "1671150");
  EXPECT_DOUBLE_EQ(rapl.read().at("cpu_energy"), 2);
  set_energy(tree, "intel-rapl:0", "2671150");
  EXPECT_DOUBLE_EQ(rapl.read().at("cpu_energy"), 3);
  set_energy(tree, "intel-rapl:0", "671150");
  EXPECT_DOUBLE_EQ(rapl.read().at("cpu_energy"), 3 + 262143.32885 - 2);
}

TEST(Rapl, HalfASumIsNone) {
  const RecordedTree tree;
  for (const char* zone : {"intel-rapl:0", "intel-rapl:1"}) {
    add_domain(tree, zone, "package-" + std::string(zone).substr(11));
    set_energy(tree, zone, "5");
  }
  const Machine rapl(tree);
  std::filesystem::remove(tree.root() / "sys/class/powercap/intel-rapl:1/energy_uj");
  EXPECT_EQ(rapl.read(), Readings{});
}

TEST(Rapl, CountersThatAreClosedHaveACure) {
  const RecordedTree tree;
  add_domain(tree, "intel-rapl:0", "package-0");
  set_energy(tree, "intel-rapl:0", "5");
  add_domain(tree, "intel-rapl:1", "package-1");  // without the file energy_uj
  const Machine rapl(tree);
  EXPECT_EQ(rapl.read(), Readings{});
  EXPECT_NE(rapl.missing().at("cpu_energy").find("chmod"), std::string::npos);
}

}  // namespace

}  // namespace mpsbench::sensor
