#include "report/host/numa_nodes.hpp"

#include "support/recorded_tree.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using Nodes = std::vector<std::int64_t>;

TEST(NumaNodes, AreThoseOfTheCpus) {
  const tests::RecordedTree tree;
  EXPECT_EQ(numa_nodes(tree.root(), {0, 1}), Nodes{}) << "the system does not tell";
  tree.add("sys/devices/system/node/possible", "0-2\n");
  tree.add("sys/devices/system/node/node0/cpulist", "0-3,8\n");
  tree.add("sys/devices/system/node/node1/cpulist", "4-7\n");
  tree.add("sys/devices/system/node/node2/cpulist", "\n");  // it has only memory
  EXPECT_EQ(numa_nodes(tree.root(), {2, 8}), Nodes{0});
  EXPECT_EQ(numa_nodes(tree.root(), {3, 4}), (Nodes{0, 1}));
  EXPECT_EQ(numa_nodes(tree.root(), {9}), Nodes{});
}

}  // namespace
}  // namespace mpsbench::report
