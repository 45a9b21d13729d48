#include "report/linux_files.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

#include <string>

namespace mpsbench::report {
namespace {

using tests::RecordedTree;

TEST(LinuxFiles, FirstLineEndsAtALineBreakOrANul) {
  const RecordedTree tree;
  tree.add("a", "  one \ntwo\n");
  tree.add("b", std::string("Raspberry Pi 5\0more", 19));
  EXPECT_EQ(read_first_line(tree.root() / "a"), "one");
  EXPECT_EQ(read_first_line(tree.root() / "b"), "Raspberry Pi 5");
  EXPECT_EQ(read_first_line(tree.root() / "absent"), "");
  EXPECT_EQ(read_first_line(tree.root()), "");
}

TEST(LinuxFiles, KeyValues) {
  const auto values =
      key_values("NAME=\"Debian GNU/Linux\"\nVERSION_ID='12'\nnothing\nNAME=again\nEMPTY=", '=');
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.at("NAME"), "Debian GNU/Linux");
  EXPECT_EQ(values.at("VERSION_ID"), "12");
  EXPECT_EQ(values.at("EMPTY"), "");
}

TEST(LinuxFiles, CpuLists) {
  EXPECT_EQ(parse_cpu_list("0-2,8\n"), (std::vector<int>{0, 1, 2, 8}));
  EXPECT_EQ(parse_cpu_list("5"), std::vector<int>{5});
  EXPECT_TRUE(parse_cpu_list("").empty());
  EXPECT_TRUE(parse_cpu_list("0-99999999999").empty());
  EXPECT_TRUE(parse_cpu_list("x-3").empty());
}

TEST(CpuQuota, NoneWithoutControlGroups) {
  const RecordedTree tree;
  EXPECT_FALSE(cpu_quota(tree.root()));
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_FALSE(cpu_quota(tree.root()));
}

TEST(CpuQuota, LeastOfTheGroupsAround) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/user.slice/app\n");
  tree.add("sys/fs/cgroup/cpu.max", "max 100000\n");
  tree.add("sys/fs/cgroup/user.slice/cpu.max", "250000 100000\n");
  tree.add("sys/fs/cgroup/user.slice/app/cpu.max", "800000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.root()).value(), 2.5);
}

TEST(CpuQuota, ContainerSeesItsGroupAsTheRoot) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/../../docker/abc\n");
  tree.add("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.root()).value(), 1.5);
}

TEST(CpuQuota, VersionOne) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "9:name=systemd:/\n4:cpu,cpuacct:/docker/abc\n2:cpuset:/\n0::/\n");
  tree.add("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  tree.add("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(cpu_quota(tree.root()));
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "400000\n");
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.root()).value(), 4);
}

TEST(PowerSource, LaptopOnBatteryAndOnMains) {
  const RecordedTree tree;
  EXPECT_FALSE(power_source(tree.root()));
  tree.add("sys/class/power_supply/BAT0/type", "Battery\n");
  tree.add("sys/class/power_supply/BAT0/status", "Discharging\n");
  tree.add("sys/class/power_supply/AC/type", "Mains\n");
  tree.add("sys/class/power_supply/AC/online", "0\n");
  EXPECT_EQ(power_source(tree.root()), "battery");
  tree.add("sys/class/power_supply/AC/online", "1\n");
  EXPECT_EQ(power_source(tree.root()), "ac");
}

TEST(PowerSource, AMouseIsNotABattery) {
  const RecordedTree tree;
  tree.add("sys/class/power_supply/hid/type", "Battery\n");
  tree.add("sys/class/power_supply/hid/scope", "Device\n");
  tree.add("sys/class/power_supply/hid/status", "Discharging\n");
  EXPECT_EQ(power_source(tree.root()), "ac");
}

}  // namespace
}  // namespace mpsbench::report
