#include "base/cgroup_memory.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

namespace mpsbench::base {
namespace {

using tests::RecordedTree;

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
