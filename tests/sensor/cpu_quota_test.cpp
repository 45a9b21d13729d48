#include "sensor/cpu_quota.hpp"

#include "sensor/read.hpp"
#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

namespace mpsbench::sensor {
namespace {

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

}  // namespace
}  // namespace mpsbench::sensor
