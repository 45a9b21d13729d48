#include "base/cgroup_cpu.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

namespace mpsbench::base {
namespace {

using tests::RecordedTree;

TEST(CgroupCpu, NoneWithoutControlGroups) {
  const RecordedTree tree;
  EXPECT_FALSE(cpu_quota(tree.root()));
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_FALSE(cpu_quota(tree.root()));
}

TEST(CgroupCpu, LeastOfTheGroupsAround) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/user.slice/app\n");
  tree.add("sys/fs/cgroup/cpu.max", "max 100000\n");
  tree.add("sys/fs/cgroup/user.slice/cpu.max", "250000 100000\n");
  tree.add("sys/fs/cgroup/user.slice/app/cpu.max", "800000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.root()).value(), 2.5);
}

TEST(CgroupCpu, ContainerSeesItsGroupAsTheRoot) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/../../docker/abc\n");
  tree.add("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.root()).value(), 1.5);
}

TEST(CgroupCpu, VersionOne) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "9:name=systemd:/\n4:cpu,cpuacct:/docker/abc\n2:cpuset:/\n0::/\n");
  tree.add("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  tree.add("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(cpu_quota(tree.root()));
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "400000\n");
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.root()).value(), 4);
}

TEST(CgroupCpu, PausesOfAllNestedQuotas) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/pod/app/worker\n");
  tree.add("sys/fs/cgroup/cpu.stat", "usage_usec 9\nnr_periods 9\nnr_throttled 100\n");  // has no quota
  EXPECT_FALSE(cpu_quota_pauses(tree.root()));
  tree.add("sys/fs/cgroup/pod/cpu.max", "250000 100000\n");
  EXPECT_EQ(cpu_quota_pauses(tree.root()), 0);
  tree.add("sys/fs/cgroup/pod/cpu.stat", "usage_usec 12\nnr_periods 20\nnr_throttled 3\nthrottled_usec 5\n");
  tree.add("sys/fs/cgroup/pod/app/cpu.max", "max 100000\n");
  tree.add("sys/fs/cgroup/pod/app/cpu.stat", "nr_periods 0\nnr_throttled 50\n");
  tree.add("sys/fs/cgroup/pod/app/worker/cpu.max", "50000 100000\n");
  tree.add("sys/fs/cgroup/pod/app/worker/cpu.stat", "nr_periods 9\nnr_throttled 4\n");
  EXPECT_EQ(cpu_quota_pauses(tree.root()), 7);
}

TEST(CgroupCpu, PausesOfVersionOne) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "4:cpu,cpuacct:/docker/abc\n");
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "50000\n");
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
  tree.add("sys/fs/cgroup/cpu/docker/abc/cpu.stat", "nr_periods 20\nnr_throttled 11\nthrottled_time 700\n");
  EXPECT_EQ(cpu_quota_pauses(tree.root()), 11);
}

}  // namespace
}  // namespace mpsbench::base
