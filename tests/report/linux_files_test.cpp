#include "report/host/linux_files.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::RecordedTree;

TEST(LinuxFiles, KeyValues) {
  const auto values =
      key_values("NAME=\"Debian GNU/Linux\"\nVERSION_ID='12'\nnothing\nNAME=again\nEMPTY=", '=');
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.at("NAME"), "Debian GNU/Linux");
  EXPECT_EQ(values.at("VERSION_ID"), "12");
  EXPECT_EQ(values.at("EMPTY"), "");
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

}  // namespace
}  // namespace mpsbench::report
