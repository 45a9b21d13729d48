#include "base/cgroup.hpp"

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

TEST(CgroupMemory, IsUnknownWithoutALimit) {
  const RecordedTree tree;
  EXPECT_EQ(cgroup_free_bytes(tree.root().string()), std::nullopt);
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/memory.max", "max\n");
  tree.add("sys/fs/cgroup/memory.current", "5000\n");
  EXPECT_EQ(cgroup_free_bytes(tree.root().string()), std::nullopt);
}

TEST(CgroupMemory, DoesNotCountWhatCanBeDropped) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/memory.max", "10000\n");
  tree.add("sys/fs/cgroup/memory.current", "9000\n");
  tree.add("sys/fs/cgroup/memory.stat", "anon 1000\ninactive_file 7000\nactive_file 500\n");
  EXPECT_EQ(cgroup_free_bytes(tree.root().string()), 8000);
}

TEST(CgroupMemory, TakesTheLeastOfAllGroupsAround) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/user.slice/job\n");
  tree.add("sys/fs/cgroup/user.slice/memory.max", "4000\n");
  tree.add("sys/fs/cgroup/user.slice/memory.current", "3000\n");
  tree.add("sys/fs/cgroup/user.slice/job/memory.max", "9000\n");
  tree.add("sys/fs/cgroup/user.slice/job/memory.current", "100\n");
  EXPECT_EQ(cgroup_free_bytes(tree.root().string()), 1000);
}

TEST(CgroupMemory, ReadsTheOlderInterfaceToo) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "7:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n0::/\n");
  tree.add("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "5000\n");
  tree.add("sys/fs/cgroup/memory/docker/x/memory.usage_in_bytes", "3000\n");
  tree.add("sys/fs/cgroup/memory/docker/x/memory.stat", "total_inactive_file 500\n");
  EXPECT_EQ(cgroup_free_bytes(tree.root().string()), 2500);
}

TEST(CgroupMemory, IsNeverBelowNothing) {
  const RecordedTree tree;
  tree.add("proc/self/cgroup", "0::/\n");
  tree.add("sys/fs/cgroup/memory.max", "1000\n");
  tree.add("sys/fs/cgroup/memory.current", "1500\n");
  EXPECT_EQ(cgroup_free_bytes(tree.root().string()), 0);
}

}  // namespace

}  // namespace mpsbench::base
